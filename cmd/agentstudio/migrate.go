package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"text/tabwriter"
	"time"

	"github.com/agentstudio/agentstudio/migrations"
	"github.com/agentstudio/agentstudio/studio/store"
)

// migrateCommand looks after the schema. It works as the owner of the tables,
// which on PostgreSQL is another role than the one that serves.
type migrateCommand struct {
	OwnerURL string `env:"AGENTSTUDIO_MIGRATE_DATABASE_URL" name:"migrate-database-url" placeholder:"URL" help:"PostgreSQL as the role that owns the tables. Without it, the database URL."`

	Up     migrateUp     `cmd:"" default:"withargs" help:"Bring the database up to date. This is what runs without a sub-command."`
	Status migrateStatus `cmd:"" help:"List the migrations and how they stand."`
	Verify migrateVerify `cmd:"" help:"Say what is wrong with the schema, and fail if anything is."`
}

// open opens the database as its owner, which row security need not bind.
func (m *migrateCommand) open(ctx context.Context, s *settings) (*store.Store, error) {
	owner := *s
	owner.DatabaseURL, owner.AllowOwner = cmp.Or(m.OwnerURL, s.DatabaseURL), true
	// What is wrong with the database is the command's to say.
	return owner.openWith(ctx, slog.New(slog.DiscardHandler))
}

// with opens the database for one thing to do, and closes it.
func (m *migrateCommand) with(ctx context.Context, s *settings, do func(db *store.Store) error) error {
	db, err := m.open(ctx, s)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

type migrateUp struct {
	AppRole string `placeholder:"NAME" help:"Role that serves on PostgreSQL: it is given what a server needs, and owns nothing."`
}

// Run applies every migration that is not applied yet.
func (u migrateUp) Run(ctx context.Context, m *migrateCommand, s *settings) error {
	return m.with(ctx, s, func(db *store.Store) error {
		if err := db.Migrate(ctx); err != nil {
			return err
		}
		if u.AppRole != "" {
			if db.Dialect() != migrations.Postgres {
				return errors.New("a role that serves is PostgreSQL's; a SQLite file has none, so leave --app-role out")
			}
			if err := migrations.Grant(ctx, db.SQL(), u.AppRole); err != nil {
				return err
			}
		}
		fmt.Fprintln(os.Stdout, "The database is up to date.")
		return nil
	})
}

type migrateStatus struct{}

// Run prints a line for each migration.
func (migrateStatus) Run(ctx context.Context, m *migrateCommand, s *settings) error {
	return m.with(ctx, s, func(db *store.Store) error {
		list, err := migrations.Status(ctx, db.SQL(), db.Dialect())
		if err != nil {
			return err
		}
		out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(out, "VERSION\tNAME\tSTATE\tAPPLIED AT\tAPPLIED BY")
		for _, line := range list {
			at := "-"
			if !line.AppliedAt.IsZero() {
				at = line.AppliedAt.UTC().Format(time.RFC3339)
			}
			fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%s\n", line.Version, line.Name, line.State, at, cmp.Or(line.AppliedBy, "-"))
		}
		return out.Flush()
	})
}

type migrateVerify struct{}

// Run says that the schema is as it must be, or what is wrong with it.
func (migrateVerify) Run(ctx context.Context, m *migrateCommand, s *settings) error {
	return m.with(ctx, s, func(db *store.Store) error {
		if err := migrations.Verify(ctx, db.SQL(), db.Dialect()); err != nil {
			return err
		}
		fmt.Fprintln(os.Stdout, "The schema is as it must be.")
		return nil
	})
}
