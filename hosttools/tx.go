package hosttools

import (
	"context"
	"database/sql"
)

type txKey struct{}

// WithTx returns a context that carries the transaction of a burn. The Studio
// calls it; a host uses it in tests of its transactional toolkits.
func WithTx(ctx context.Context, tx *sql.Tx) context.Context {
	return context.WithValue(ctx, txKey{}, tx)
}

// Tx returns the transaction in which the approval of the running write is
// spent, and false where there is none: in reads, and in toolkits that do not
// declare themselves Transactional. What the method writes through it happens
// exactly once: it commits together with the approval and its outcome, and is
// undone when the method returns an error or takes too long. The method must
// neither commit nor roll back, and should be quick: others wait for it.
//
// The transaction is one of the Studio's database, so the host's tables must
// be in that database too.
func Tx(ctx context.Context) (*sql.Tx, bool) {
	tx, ok := ctx.Value(txKey{}).(*sql.Tx)
	return tx, ok && tx != nil
}
