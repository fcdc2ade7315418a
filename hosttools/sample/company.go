package sample

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/agentstudio/agentstudio/hosttools"
)

// maxConnections bounds the pool. SQLite has one writer at a time, so more
// connections only help readers.
const maxConnections = 8

// Company is the demo host: its database, its tools and its page. It may be
// used from any goroutine.
type Company struct {
	db         *sql.DB
	statements statements
}

// Open opens the company's SQLite file, creates it if it is missing, and fills
// it with the demo orders the first time. What was changed since stays.
func Open(ctx context.Context, path string) (*Company, error) {
	dsn, err := dataSource(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, fmt.Errorf("open the company's database: %w", err)
	}
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(maxConnections)
	c := &Company{db: db}
	if err := c.prepare(ctx); err != nil {
		_ = db.Close() // the first error says more
		return nil, err
	}
	return c, nil
}

func (c *Company) prepare(ctx context.Context) error {
	if err := c.create(ctx); err != nil {
		return fmt.Errorf("create the company's tables: %w", err)
	}
	var err error
	if c.statements, err = prepareStatements(ctx, c.db); err != nil {
		return fmt.Errorf("prepare the company's queries: %w", err)
	}
	return nil
}

// Close closes the file. Calls that still run fail.
func (c *Company) Close() error { return c.db.Close() }

// Host returns the company's tools for a registry: the toolkit fs_orders and
// the standalone tools fs_export and fs_notify.
func (c *Company) Host() hosttools.Host {
	return hosttools.Host{
		Prefix: "fs_",
		Tools: map[string]hosttools.Constructor{
			"fs_orders": c.ordersToolkit,
			"fs_export": c.exportTool,
			"fs_notify": c.notifyTool,
		},
	}
}

// dataSource names the file with the settings that every connection needs.
// Transactions take the write lock at once, so that two of them cannot both
// read and then fail to write; a commit survives a power loss.
func dataSource(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find the company's database: %w", err)
	}
	query := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"},
	}
	file := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(absolute), RawQuery: query.Encode()}
	return file.String(), nil
}

// inTx runs do in one transaction: all of it happens, or nothing.
func (c *Company) inTx(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // the first error says more
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
