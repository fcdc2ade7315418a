package store

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/libtnb/sqlite"
	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/migrations"
)

// maxReaders bounds the connections that read a SQLite file.
const maxReaders = 8

// maxStatements bounds the prepared statements that are kept. There are some
// dozens of kinds, a few of them with lists of any length.
const maxStatements = 256

// openSQLite opens a file with one connection that writes and several that
// only read. SQLite has one writer at a time; waiting for it in the pool is
// fair and fast, where waiting in SQLite is polling until a time-out.
func openSQLite(config Config) (*Store, error) {
	name, query, err := fileURL(config.DSN)
	if err != nil {
		return nil, err
	}
	writer, err := openFile(name, query, writerPragmas(), 1)
	if err != nil {
		return nil, err
	}
	reader, err := openFile(name, query, readerPragmas(), maxReaders)
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	s, err := overFiles(config, writer, reader)
	if err != nil {
		return nil, errors.Join(err, writer.Close(), reader.Close())
	}
	return s, nil
}

// overFiles puts GORM over the two pools. Statements are prepared once for
// reading only: a statement prepared in a transaction ends with it.
func overFiles(config Config, writer, reader *sql.DB) (*Store, error) {
	writes, err := gorm.Open(sqlite.New(sqlite.Config{Conn: writer}), gormConfig(config.Logger))
	if err != nil {
		return nil, fmt.Errorf("open the database to write: %w", err)
	}
	prepared := gormConfig(config.Logger)
	prepared.PrepareStmt, prepared.PrepareStmtMaxSize = true, maxStatements
	reads, err := gorm.Open(sqlite.New(sqlite.Config{Conn: reader}), prepared)
	if err != nil {
		return nil, fmt.Errorf("open the database to read: %w", err)
	}
	clock := "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)"
	return &Store{
		dsn:     config.DSN,
		dialect: dialect{name: migrations.SQLite, clock: clock},
		writes:  writer, writer: writes,
		reads: reader, reader: reads,
	}, nil
}

// writerPragmas make a commit survive a loss of power, which a burned approval
// must, and a transaction take its lock when it begins.
func writerPragmas() url.Values {
	return url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"},
	}
}

// readerPragmas make a connection refuse to write.
func readerPragmas() url.Values {
	return url.Values{"_pragma": {"busy_timeout(5000)", "query_only(1)"}}
}

func openFile(name string, query, pragmas url.Values, connections int) (*sql.DB, error) {
	all := url.Values{}
	for _, values := range []url.Values{query, pragmas} {
		for key, list := range values {
			all[key] = append(all[key], list...)
		}
	}
	db, err := sql.Open(sqlite.DriverName, name+"?"+all.Encode())
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// fileURL returns a DSN as a file: URL without its query, and the query.
func fileURL(dsn string) (string, url.Values, error) {
	name, rest, isURL := dsn, "", strings.HasPrefix(dsn, "file:")
	if isURL {
		name, rest, _ = strings.Cut(dsn, "?")
	}
	query, err := url.ParseQuery(rest)
	if err != nil {
		return "", nil, fmt.Errorf("read the query of the database URL: %w", err)
	}
	if name == "" || strings.Contains(name, ":memory:") || query.Get("mode") == "memory" {
		return "", nil, errors.New("the database must be a file, not in memory")
	}
	if !isURL {
		name = "file:" + (&url.URL{Path: name}).EscapedPath()
	}
	return name, query, nil
}
