package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// State is how a migration of this build stands in a database.
type State string

// The states. All but applied and pending are drift, or a newer build's.
const (
	StateApplied    State = "applied"
	StatePending    State = "pending"
	StateNewer      State = "newer"      // applied by a newer build
	StateChanged    State = "changed"    // applied, with another name or body than this build's
	StateSkipped    State = "skipped"    // not applied, though a later one is
	StateUnrecorded State = "unrecorded" // applied, but the ledger says nothing of it
	StateUnknown    State = "unknown"    // the database names it, but nothing vouches for it
)

// Migration is one step of the schema, as this build or the database knows it.
type Migration struct {
	Version int64
	Name    string // file name; empty when nobody knows it
	State   State
	// Checked says that its body is the one that was applied.
	Checked   bool
	AppliedAt time.Time // zero when the ledger does not say
	AppliedBy string    // the build that applied it
}

// Status lists our migrations in order, without River's, and whatever else the
// database says was applied. It changes nothing.
func Status(ctx context.Context, db *sql.DB, dialect Dialect) ([]Migration, error) {
	known, err := filesOf(dialect)
	if err != nil {
		return nil, err
	}
	found, err := entries(ctx, db, dialect)
	if err != nil {
		return nil, err
	}
	return compare(known, found), nil
}

// Verify returns nil when exactly the migrations that this build knows are
// applied, with the same bodies, River's included. Otherwise it returns an
// error for each thing that is wrong, joined; they wrap [ErrPending],
// [ErrTooNew] and [ErrDrifted]. It changes nothing.
func Verify(ctx context.Context, db *sql.DB, dialect Dialect) error {
	list, err := Status(ctx, db, dialect)
	if err != nil {
		return err
	}
	errs := drift(list)
	if err := pending(list); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return verifyRiver(ctx, db, dialect)
}

// unrepairable returns what Up cannot set right.
func unrepairable(ctx context.Context, db *sql.DB, dialect Dialect) error {
	list, err := Status(ctx, db, dialect)
	if err != nil {
		return err
	}
	return errors.Join(drift(list)...)
}

// compare judges every version that this build or the database knows.
func compare(known []file, found []entry) []Migration {
	files := make(map[int64]file, len(known))
	rows := make(map[int64]entry, len(found))
	var versions []int64
	for _, f := range known {
		files[f.version] = f
		versions = append(versions, f.version)
	}
	var last int64 // applied
	legacy := true // no ledger, and none to be expected
	for _, e := range found {
		rows[e.version] = e
		versions = append(versions, e.version)
		if e.applied {
			last = max(last, e.version)
		}
		legacy = legacy && !e.recorded
	}
	legacy = legacy && last <= lastWithoutLedger
	slices.Sort(versions)
	var list []Migration
	for _, version := range slices.Compact(versions) {
		f, e := files[version], rows[version]
		m := Migration{Version: version, Name: f.name, AppliedAt: e.at, AppliedBy: e.by}
		if m.Name == "" {
			m.Name = e.name
		}
		newest := known[len(known)-1].version
		m.State = stateOf(f, e, version > newest, version < last)
		if m.State == StateUnrecorded && legacy {
			m.State = StateApplied
		}
		m.Checked = e.recorded && m.State == StateApplied
		list = append(list, m)
	}
	return list
}

// stateOf judges one version. f and e are zero where this build or the
// database does not know it.
func stateOf(f file, e entry, newer, overtaken bool) State {
	switch {
	case f.version == 0 && e.applied && newer:
		return StateNewer
	case f.version == 0, e.recorded && !e.applied:
		return StateUnknown
	case !e.applied && overtaken:
		return StateSkipped
	case !e.applied:
		return StatePending
	case !e.recorded:
		return StateUnrecorded
	case e.name != f.name, e.sum != f.sum:
		return StateChanged
	default:
		return StateApplied
	}
}

// drift returns an error for each migration that is neither applied nor
// pending.
func drift(list []Migration) []error {
	var errs []error
	for _, m := range list {
		if err := m.problem(); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

func (m Migration) problem() error {
	switch m.State {
	case StateNewer:
		return fmt.Errorf("%w (it has migration %d, which this one does not know)", ErrTooNew, m.Version)
	case StateChanged:
		return fmt.Errorf("%w (migration %d, %s, is not the one that was applied)", ErrDrifted, m.Version, m.Name)
	case StateSkipped:
		return fmt.Errorf("%w (migration %d, %s, is not applied, though a later one is)", ErrDrifted, m.Version, m.Name)
	case StateUnrecorded:
		return fmt.Errorf("%w (migration %d, %s, is applied, but the ledger does not have it)", ErrDrifted, m.Version, m.Name)
	case StateUnknown:
		return fmt.Errorf("%w (the database names a migration %d that was never applied, or that nobody knows)",
			ErrDrifted, m.Version)
	default:
		return nil
	}
}

func pending(list []Migration) error {
	applied, waiting := int64(0), int64(0)
	for _, m := range list {
		switch m.State {
		case StateApplied:
			applied = m.Version
		case StatePending:
			waiting = m.Version
		}
	}
	if waiting == 0 {
		return nil
	}
	return fmt.Errorf("%w (it is at version %d of %d)", ErrPending, applied, waiting)
}
