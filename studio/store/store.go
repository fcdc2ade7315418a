package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

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
	// Logger gets every statement at debug level, and why the database may not
	// be used; nil is silent.
	Logger *slog.Logger
	// AllowOwner lets a role serve on PostgreSQL for which row security does not
	// hold: a superuser, or the owner of the tables. The filter in the program
	// is then the only wall, so it is for a developer's database and nothing
	// else. It is logged as a warning.
	AllowOwner bool
	// CheckEvery is how old the verdict on the database's state may become;
	// zero means 10 seconds.
	CheckEvery time.Duration
}

// Store keeps all records in one database. It is safe for concurrent use.
type Store struct {
	dsn     string
	dialect dialect
	log     *slog.Logger // nil is silent
	// allowOwner says that the second wall need not hold.
	allowOwner bool
	health     health
	writes     *sql.DB
	reads      *sql.DB // on PostgreSQL the same as writes
	writer     *gorm.DB
	reader     *gorm.DB
}

// Open connects to the database. It does not migrate; see [Store.Migrate]. A
// database that is not in order is opened nevertheless, so that a host can
// start and serve its own pages; see [Store.Usable].
func Open(ctx context.Context, config Config) (*Store, error) {
	open := openSQLite
	if isPostgres(config.DSN) {
		open = openPostgres
	}
	s, err := open(config)
	if err != nil {
		return nil, err
	}
	s.log, s.allowOwner = config.Logger, config.AllowOwner
	s.health.opened, s.health.every = time.Now(), cmp.Or(config.CheckEvery, checkEvery)
	if err := errors.Join(s.guard(), s.ping(ctx)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.conclude(ctx, s.Verify(ctx))
	s.health.due.Store(int64(s.health.every))
	if s.allowOwner {
		s.warn(ctx)
	}
	return s, nil
}

// warn says that a wall is missing, where one is.
func (s *Store) warn(ctx context.Context) {
	if err := s.walls(ctx); err != nil && s.log != nil {
		s.log.WarnContext(ctx, "row security does not hold, so the filter in the program is the only wall between tenants",
			slog.Any("error", err))
	}
}

func isPostgres(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}

// Migrate brings the schema up to date.
func (s *Store) Migrate(ctx context.Context) error {
	err := migrations.Up(ctx, s.SQL(), s.Dialect())
	s.look(ctx)
	return err
}

// Verify looks at the database and returns an error when its schema is not the
// one that this build knows, as [migrations.Verify] tells, or when row security
// does not hold on PostgreSQL ([ErrWrongRole], [ErrUnprotected]).
func (s *Store) Verify(ctx context.Context) error {
	if err := migrations.Verify(ctx, s.reads, s.Dialect()); err != nil {
		return err
	}
	if s.allowOwner {
		return nil
	}
	return s.walls(ctx)
}

// Ready returns an error when the database does not answer, or is not usable.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.ping(ctx); err != nil {
		return err
	}
	return s.Usable(ctx)
}

func (s *Store) ping(ctx context.Context) error {
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
