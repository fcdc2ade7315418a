package store

import (
	"errors"

	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/models"
)

// Mistakes of callers.
var (
	// ErrNoUnit says that a partitioned record was used outside of a unit.
	ErrNoUnit = errors.New("store: no unit of work in this context")
	// ErrNoPartition says that a unit was asked for without a partition.
	ErrNoPartition = errors.New("store: a unit of work needs a partition")
	// ErrOtherPartition says that a unit was asked for inside of a unit of
	// another partition.
	ErrOtherPartition = errors.New("store: this unit of work is bound to another partition")
	// ErrReadOnly says that something was to be changed inside of a Read.
	ErrReadOnly = errors.New("store: this unit of work only reads")
	// ErrRolledBack says that a unit returned nil although a unit that had
	// joined it failed, so that nothing of it was kept.
	ErrRolledBack = errors.New("store: an inner unit of work failed, nothing was kept")
	// ErrUnscoped says that a statement did not come through the scoped method.
	ErrUnscoped = errors.New("store: statement without a partition refused")
)

// notFound makes the absence of a record the one answer of models.
func notFound(err error) error {
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return models.NotFound()
	}
	return err
}

// duplicate makes the violation of a unique index an error with a code.
func duplicate(err error, code models.Code, message string) error {
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return models.Errorf(code, "%s", message).Because(err)
	}
	return err
}
