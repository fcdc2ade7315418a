package store

import (
	"context"
	"errors"
	"reflect"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"
)

// markName is the GORM setting that says which door a statement came through.
const markName = "agentstudio:door"

// mark is what the guard looks for.
type mark struct {
	partition string // "" for statements without a partition
	reads     bool   // may change nothing
}

// scoped is where every statement on a partitioned table starts: it is bound
// to the partition of the unit in ctx, and what it creates is stamped with it
// (see guard). Without a unit it can only fail.
func (s *Store) scoped(ctx context.Context) *gorm.DB {
	u, ok := s.unit(ctx)
	if !ok {
		db := s.reader.WithContext(ctx)
		_ = db.AddError(ErrNoUnit)
		return db
	}
	return filter(u.db.WithContext(ctx).Set(markName, mark{partition: u.partition, reads: u.reads}), u.partition)
}

// global is where statements on tables without a partition start. They join
// the unit in ctx, if there is one.
func (s *Store) global(ctx context.Context) *gorm.DB {
	if u, ok := s.unit(ctx); ok {
		return u.db.WithContext(ctx).Set(markName, mark{reads: u.reads})
	}
	return s.alone(ctx, s.reader, mark{reads: true})
}

// globalWrite is global for statements that change something.
func (s *Store) globalWrite(ctx context.Context) *gorm.DB {
	if _, ok := s.unit(ctx); ok {
		return s.global(ctx)
	}
	return s.alone(ctx, s.writer, mark{})
}

// alone starts a statement that belongs to no unit. It fails on a database
// that may not be used.
func (s *Store) alone(ctx context.Context, db *gorm.DB, m mark) *gorm.DB {
	db = db.WithContext(ctx).Set(markName, m)
	if err := s.Usable(ctx); err != nil {
		_ = db.AddError(err)
	}
	return db
}

// guard makes both handles refuse what did not come through one of the doors
// above.
func (s *Store) guard() error {
	if err := guard(s.writer); err != nil || s.reader == s.writer {
		return err
	}
	return guard(s.reader)
}

func guard(db *gorm.DB) error {
	const name = "agentstudio:guard"
	c := db.Callback()
	return errors.Join(
		c.Query().Before("*").Register(name, checkRead),
		c.Row().Before("*").Register(name, checkRead),
		c.Raw().Before("*").Register(name, checkRead),
		c.Update().Before("*").Register(name, checkWrite),
		c.Delete().Before("*").Register(name, checkWrite),
		c.Create().Before("*").Register(name, checkCreate),
	)
}

func checkRead(db *gorm.DB) { check(db) }

func checkWrite(db *gorm.DB) {
	if m := check(db); m.reads && db.Error == nil {
		_ = db.AddError(ErrReadOnly)
	}
}

// checkCreate also stamps the partition on what is created, whatever tenant it
// carried before.
func checkCreate(db *gorm.DB) {
	checkWrite(db)
	if db.Error == nil && !isGlobal(db.Statement.Table) {
		stamp(db)
	}
}

// check refuses a statement without a mark, and one on a partitioned table
// whose mark carries no partition. Raw SQL names no table; it needs a mark.
func check(db *gorm.DB) mark {
	value, _ := db.Get(markName)
	m, marked := value.(mark)
	raw := db.Statement.Schema == nil && db.Statement.SQL.Len() > 0
	scoped := m.partition != "" || raw || isGlobal(db.Statement.Table)
	if db.Error == nil && (!marked || !scoped) {
		_ = db.AddError(ErrUnscoped)
	}
	return m
}

func stamp(db *gorm.DB) {
	field := tenantOf(db.Statement)
	if field == nil {
		_ = db.AddError(ErrUnscoped)
		return
	}
	partition := check(db).partition
	records := db.Statement.ReflectValue
	if records.Kind() != reflect.Slice {
		_ = db.AddError(field.Set(db.Statement.Context, records, partition))
		return
	}
	for i := range records.Len() {
		_ = db.AddError(field.Set(db.Statement.Context, records.Index(i), partition))
	}
}

// tenantOf returns the field that holds a record's partition, nil without one.
func tenantOf(statement *gorm.Statement) *schema.Field {
	if statement.Schema == nil {
		return nil
	}
	return statement.Schema.LookUpField("tenant_id")
}

// one returns the record that a query finds, or the not_found of models.
func one[T any](query *gorm.DB) (T, error) {
	var record T
	err := query.Take(&record).Error
	return record, notFound(err)
}

// all returns the records that a query finds, in its order.
func all[T any](query *gorm.DB) ([]T, error) {
	records := []T{}
	err := query.Find(&records).Error
	return records, err
}

// changed runs a conditional UPDATE and reports whether it changed a row.
func changed(query *gorm.DB, values map[string]any) (bool, error) {
	result := query.Updates(values)
	return result.RowsAffected > 0, result.Error
}
