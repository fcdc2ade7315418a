package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/migrations"
)

// Config says which database to open.
type Config struct {
	// DSN is a path or a file: URL for SQLite, a postgres:// URL for
	// PostgreSQL. SQLite in memory is not supported: readers and the writer
	// have connections of their own.
	DSN string
	// Logger gets every statement at debug level; nil is silent.
	Logger *slog.Logger
}

// Store keeps all records in one database. It is safe for concurrent use.
type Store struct {
	dsn     string
	dialect dialect
	writes  *sql.DB
	reads   *sql.DB // on PostgreSQL the same as writes
	writer  *gorm.DB
	reader  *gorm.DB
}

// Open connects to the database. It does not migrate; see [Store.Migrate].
func Open(ctx context.Context, config Config) (*Store, error) {
	open := openSQLite
	if isPostgres(config.DSN) {
		open = openPostgres
	}
	s, err := open(config)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(s.guard(), s.Ready(ctx)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func isPostgres(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}

// Migrate brings the schema up to date.
func (s *Store) Migrate(ctx context.Context) error {
	return migrations.Up(ctx, s.SQL(), s.Dialect())
}

// Verify returns an error when the schema is not the one that this build knows.
func (s *Store) Verify(ctx context.Context) error {
	return migrations.Verify(ctx, s.SQL(), s.Dialect())
}

// Ready returns an error when the database does not answer.
func (s *Store) Ready(ctx context.Context) error {
	for _, pool := range []*sql.DB{s.writes, s.reads} {
		if err := pool.PingContext(ctx); err != nil {
			return fmt.Errorf("reach the database: %w", err)
		}
	}
	return nil
}

// Close closes all connections. Units that are running fail.
func (s *Store) Close() error {
	return errors.Join(s.writes.Close(), s.reads.Close())
}

// SQL returns the pool that writes, for migrations and background work.
func (s *Store) SQL() *sql.DB { return s.writes }

// Dialect returns which SQL the database speaks.
func (s *Store) Dialect() migrations.Dialect { return s.dialect.name }

// ListenPool opens a pool of one connection for LISTEN on PostgreSQL. It
// belongs to the caller, who closes it. On SQLite it returns nil: there is
// nobody outside of this process to listen to.
func (s *Store) ListenPool(ctx context.Context) (*pgxpool.Pool, error) {
	if s.dialect.name != migrations.Postgres {
		return nil, nil
	}
	config, err := pgxpool.ParseConfig(s.dsn)
	if err != nil {
		return nil, fmt.Errorf("read the database URL: %w", err)
	}
	config.MinConns, config.MaxConns = 0, 1
	return pgxpool.NewWithConfig(ctx, config)
}
