package store

import (
	"context"
	"database/sql"

	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// unit is a unit of work: one partition, and on most paths one transaction.
// It serves one goroutine at a time, as its transaction does.
type unit struct {
	partition string
	db        *gorm.DB
	reads     bool // nothing may be changed
	failed    bool // an inner unit failed, so nothing may be kept
	after     []func()
}

// unitKey binds a unit to its store, so that two stores never mix theirs.
type unitKey struct{ store *Store }

func (s *Store) unit(ctx context.Context) (*unit, bool) {
	u, ok := ctx.Value(unitKey{s}).(*unit)
	return u, ok
}

func (s *Store) bind(ctx context.Context, u *unit) context.Context {
	return context.WithValue(ctx, unitKey{s}, u)
}

// Read runs fn in a unit of work that changes nothing. Each statement sees
// what was committed when it began. Inside of another unit of the same
// partition it joins that one, and sees what that one wrote.
func (s *Store) Read(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error {
	outer, err := s.outer(ctx, p)
	if err != nil {
		return err
	}
	if outer != nil {
		return fn(ctx)
	}
	if err := s.Usable(ctx); err != nil {
		return err
	}
	u := &unit{partition: p.Stored(), db: s.reader.WithContext(ctx), reads: true}
	if !s.dialect.readsInTransaction {
		return fn(s.bind(ctx, u))
	}
	return u.transact(ctx, func() error { return fn(s.bind(ctx, u)) }, &sql.TxOptions{ReadOnly: true})
}

// Write runs fn in a unit of work that is one transaction: when fn returns an
// error or panics, nothing is kept. It should be short, and wait for nobody:
// on SQLite it is the only one that writes. Inside of another Write of the
// same partition it joins that one, which then cannot commit either when fn
// fails. Inside of a Read it is refused with [ErrReadOnly]. When the database
// cannot be reached, or may not be used, it returns an error with code studio_storage_unavailable.
func (s *Store) Write(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error {
	outer, err := s.outer(ctx, p)
	if err != nil {
		return err
	}
	if outer != nil {
		return outer.join(ctx, fn)
	}
	if err := s.Usable(ctx); err != nil {
		return err
	}
	u := &unit{partition: p.Stored(), db: s.writer.WithContext(ctx)}
	err = u.transact(ctx, func() error {
		if err := fn(s.bind(ctx, u)); err != nil {
			return err
		}
		if u.failed {
			return ErrRolledBack
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, fn := range u.after {
		fn()
	}
	return nil
}

// transact runs fn in a transaction, which becomes the unit's. On PostgreSQL it
// carries the partition for row security.
func (u *unit) transact(ctx context.Context, fn func() error, options ...*sql.TxOptions) error {
	begun := false
	db := u.db.WithContext(context.WithValue(ctx, partitionKey{}, u.partition))
	err := db.Transaction(func(tx *gorm.DB) error {
		begun, u.db = true, tx
		return fn()
	}, options...)
	if err != nil && !begun && ctx.Err() == nil {
		return models.Errorf(models.CodeStorageUnavailable,
			"The Studio cannot reach its database. Try again in a moment.").Because(err)
	}
	return err
}

// outer returns the unit that a new one for p has to join, nil when there is
// none, or why there may be none.
func (s *Store) outer(ctx context.Context, p tenancy.Partition) (*unit, error) {
	if p.IsZero() {
		return nil, ErrNoPartition
	}
	u, ok := s.unit(ctx)
	if ok && u.partition != p.Stored() {
		return nil, ErrOtherPartition
	}
	return u, nil
}

func (u *unit) join(ctx context.Context, fn func(ctx context.Context) error) error {
	if u.reads {
		return ErrReadOnly
	}
	kept := false
	defer func() { u.failed = u.failed || !kept }()
	err := fn(ctx)
	kept = err == nil
	return err
}

// AfterCommit runs fn once the outermost Write of ctx has committed, and never
// when it does not. Without a Write in ctx it runs fn at once.
func (s *Store) AfterCommit(ctx context.Context, fn func()) {
	if u, ok := s.unit(ctx); ok && !u.reads {
		u.after = append(u.after, fn)
		return
	}
	fn()
}

// Tx returns the transaction of the Write of ctx, so that jobs are enqueued
// in it. The caller must neither commit nor roll back.
func (s *Store) Tx(ctx context.Context) (*sql.Tx, error) {
	u, ok := s.unit(ctx)
	if !ok {
		return nil, ErrNoUnit
	}
	tx, ok := u.db.Statement.ConnPool.(*sql.Tx)
	if u.reads || !ok {
		return nil, ErrReadOnly
	}
	return tx, nil
}

// Now returns the time by the database's clock, which is the one that decides
// whether something has expired. It needs no unit.
func (s *Store) Now(ctx context.Context) (models.Instant, error) {
	var now models.Instant
	err := s.global(ctx).Raw("SELECT " + s.dialect.clock).Scan(&now).Error
	return now, err
}
