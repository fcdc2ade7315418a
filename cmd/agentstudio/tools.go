package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/vault"
)

// tokenCommand prints a bearer token.
type tokenCommand struct {
	Tenant      string        `required:"" help:"Tenant in which the token works."`
	User        string        `required:"" help:"E-mail address of the member for whom it acts."`
	TTL         time.Duration `name:"ttl" default:"24h" help:"How long it counts."`
	Name        string        `default:"Made on the command line" help:"What it is for."`
	Permissions []string      `name:"permission" help:"The only actions it is for, such as tools.execute. All that its user may do, when left out."`
}

// Run prints the token alone, so that it can be captured.
func (t tokenCommand) Run(ctx context.Context, s *settings) error {
	key, err := s.key()
	if err != nil {
		return err
	}
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	token, err := t.issue(ctx, db, key)
	if err == nil {
		fmt.Fprintln(os.Stdout, token)
	}
	return errors.Join(err, db.Close())
}

func (t tokenCommand) issue(ctx context.Context, db *store.Store, key vault.MasterKey) (string, error) {
	if err := db.Verify(ctx); err != nil {
		return "", fmt.Errorf("there are no people yet; start the server first: %w", err)
	}
	service := people(db, key)
	member, err := service.MemberByEmail(ctx, t.Tenant, t.User)
	if err != nil {
		return "", err
	}
	text, _, err := service.IssueAPIToken(ctx, t.Tenant, identity.NewToken{
		User: member.User.ID, Name: t.Name, Permissions: t.Permissions, TTL: t.TTL, By: member.User.ID,
	})
	return text, err
}

// doctorCommand checks everything that a server needs.
type doctorCommand struct{}

// Run prints a line for each check, and fails when one does.
func (doctorCommand) Run(ctx context.Context, s *settings) error {
	failed := 0
	report := func(what string, err error) {
		if err != nil {
			failed++
			fmt.Fprintf(os.Stdout, "✗ %s: %v\n", what, err)
			return
		}
		fmt.Fprintf(os.Stdout, "✓ %s\n", what)
	}
	report("address "+s.Addr, s.loopback())
	_, err := s.key()
	report("master key", err)
	report("database "+s.database(), s.checkDatabase(ctx))
	if failed > 0 {
		return fmt.Errorf("%d of the checks failed", failed)
	}
	return nil
}

// database names the database without its password.
func (s *settings) database() string {
	if s.embedded() {
		return s.dsn()
	}
	return "PostgreSQL"
}

func (s *settings) checkDatabase(ctx context.Context) error {
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(db.Verify(ctx), db.Close())
}
