package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// endWithin bounds how long a rollback may take whose context has ended.
const endWithin = 5 * time.Second

// partitionKey carries to a connection which partition a transaction is for.
type partitionKey struct{}

// partitionConnector opens connections on which a transaction begins in the
// partition that its context names. Row security asks for that setting; it
// lasts as long as the transaction, whichever way that ends, so that a
// connection never carries it to the next unit of work.
type partitionConnector struct{ driver.Connector }

// Connect opens a connection.
func (c partitionConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := opened.(*stdlib.Conn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("store: a connection of type %T", opened), opened.Close())
	}
	return partitionConn{conn}, nil
}

type partitionConn struct{ *stdlib.Conn }

// BeginTx begins a transaction and sets its partition, in one round trip.
// Without a partition in ctx it sets none, and the transaction sees no row that
// has one.
func (c partitionConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	partition, ok := ctx.Value(partitionKey{}).(string)
	if !ok {
		return c.Conn.BeginTx(ctx, options)
	}
	begin, err := beginIn(partition, options.ReadOnly)
	if err != nil {
		return nil, err
	}
	conn := c.Conn.Conn()
	if conn.IsClosed() {
		return nil, driver.ErrBadConn
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
	if err != nil {
		return nil, fmt.Errorf("begin a transaction: %w", err)
	}
	return partitionTx{ctx: ctx, tx: tx}, nil
}

// beginIn returns the statements that begin a transaction in a partition. They
// travel together, which excludes parameters; no stored partition needs quotes.
func beginIn(partition string, readOnly bool) (string, error) {
	if partition == "" || strings.ContainsAny(partition, `'\`) {
		return "", fmt.Errorf("store: %q is not a partition", partition)
	}
	begin := "begin"
	if readOnly {
		begin = "begin read only"
	}
	return begin + "; select set_config('app.tenant', '" + partition + "', true)", nil
}

type partitionTx struct {
	ctx context.Context // the driver's interface takes none later
	tx  pgx.Tx
}

// Commit commits the transaction.
func (t partitionTx) Commit() error { return t.tx.Commit(t.ctx) }

// Rollback rolls the transaction back, also when its context has ended: the
// connection lives on.
func (t partitionTx) Rollback() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), endWithin)
	defer cancel()
	return t.tx.Rollback(ctx)
}
