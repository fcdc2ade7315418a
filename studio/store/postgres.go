package store

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/migrations"
)

// maxConnections bounds the connections of one replica, listening apart.
const maxConnections = 16

// openPostgres opens one pool. Statements are not prepared by GORM, because
// pgx keeps them for each connection, in transactions too.
func openPostgres(config Config) (*Store, error) {
	parsed, err := pgx.ParseConfig(config.DSN)
	if err != nil {
		return nil, fmt.Errorf("read the database URL: %w", err)
	}
	db := sql.OpenDB(partitionConnector{stdlib.GetConnector(*parsed)})
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(maxConnections)

	both, err := gorm.Open(postgres.New(postgres.Config{Conn: db}), gormConfig(config.Logger))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the database: %w", err), db.Close())
	}
	clock := "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
	return &Store{
		dsn:     config.DSN,
		dialect: dialect{name: migrations.Postgres, clock: clock, readsInTransaction: true},
		writes:  db, writer: both,
		reads: db, reader: both,
	}, nil
}
