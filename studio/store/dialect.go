package store

import (
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/agentstudio/agentstudio/migrations"
)

// dialect is what the two databases do differently.
type dialect struct {
	name migrations.Dialect
	// clock is an expression for the present moment in milliseconds, which
	// does not stand still during a transaction.
	clock string
	// readsInTransaction says whether a Read opens a transaction. PostgreSQL
	// needs one to hold the partition for row security. On SQLite it would
	// cost two more statements and give nothing.
	readsInTransaction bool
}

// now is the database's clock, for use inside of a statement.
func (d dialect) now() clause.Expr { return gorm.Expr(d.clock) }
