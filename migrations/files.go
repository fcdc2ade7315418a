package migrations

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"

	"github.com/pressly/goose/v3"
)

// file is one migration of this build.
type file struct {
	version int64
	name    string
	sum     string // SHA-256 of its body, in hexadecimal
	body    []byte
}

// filesOf returns the migrations of a dialect in the order of their versions.
func filesOf(dialect Dialect) ([]file, error) {
	if dialect != SQLite && dialect != Postgres {
		return nil, unknown(dialect)
	}
	names, err := fs.Glob(embedded, string(dialect)+"/*.sql") // sorted
	if err != nil {
		return nil, fmt.Errorf("list the migrations: %w", err)
	}
	list := make([]file, 0, len(names))
	for _, path := range names {
		name := path[len(dialect)+1:]
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, fmt.Errorf("number of the migration %s: %w", name, err)
		}
		body, err := fs.ReadFile(embedded, path)
		if err != nil {
			return nil, fmt.Errorf("read the migration %s: %w", name, err)
		}
		list = append(list, file{version: version, name: name, sum: checksum(body), body: body})
	}
	return list, nil
}

// checksum is the same for a checkout whose line ends are Windows'.
func checksum(body []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(sum[:])
}

// createTable finds the tables that a migration makes.
var createTable = regexp.MustCompile(`(?m)^CREATE TABLE (\w+) \($`)

// Tables returns the names of the tables that our migrations make, in the
// order of their making, without River's and those of the migrations
// themselves.
func Tables() ([]string, error) {
	known, err := filesOf(Postgres)
	if err != nil {
		return nil, err
	}
	var tables []string
	for _, f := range known {
		for _, match := range createTable.FindAllSubmatch(f.body, -1) {
			tables = append(tables, string(match[1]))
		}
	}
	return tables, nil
}
