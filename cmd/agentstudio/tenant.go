package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/agentstudio/agentstudio/studio/identity"
)

// tenantCommand makes and lists tenants.
type tenantCommand struct {
	Create tenantCreate `cmd:"" help:"Make a tenant, and print the link with which its first admin joins."`
	List   tenantList   `cmd:"" help:"List all tenants."`
	Link   tenantLink   `cmd:"" help:"Link a member to their account at the issuer of --jwt-issuer."`
}

// tenantCreate makes a tenant.
type tenantCreate struct {
	ID    string `arg:"" help:"What addresses call it: lower-case letters, digits, - and _."`
	Name  string `required:"" help:"What people call it."`
	Admin string `required:"" placeholder:"EMAIL" help:"E-mail address of its first admin."`
}

// Run prints the link alone, so that it can be captured.
func (t tenantCreate) Run(ctx context.Context, s *settings) error {
	return withPeople(ctx, s, func(people *identity.Service) error {
		secret, err := people.CreateTenant(ctx, t.ID, t.Name, t.Admin)
		if err != nil {
			return err
		}
		place, err := s.place()
		if err != nil {
			return err
		}
		if place.Origin == "" {
			place.Origin = "http://" + s.Addr
		}
		fmt.Fprintln(os.Stdout, place.Link("join", t.ID)+"?"+url.Values{"key": {secret}}.Encode())
		return nil
	})
}

// tenantList lists tenants.
type tenantList struct{}

// Run prints a line for each tenant.
func (tenantList) Run(ctx context.Context, s *settings) error {
	return withPeople(ctx, s, func(people *identity.Service) error {
		tenants, err := people.Tenants(ctx)
		for _, tenant := range tenants {
			fmt.Fprintf(os.Stdout, "%s\t%s\n", tenant.ID, tenant.Name)
		}
		return err
	})
}

// tenantLink links a member to an account.
type tenantLink struct {
	ID      string `arg:"" help:"Tenant that the member belongs to."`
	User    string `required:"" placeholder:"EMAIL" help:"E-mail address of the member."`
	Subject string `required:"" help:"What the issuer calls them: the sub of its tokens."`
}

// Run links.
func (t tenantLink) Run(ctx context.Context, s *settings) error {
	if s.JWTIssuer == "" {
		return errors.New("name the issuer with --jwt-issuer")
	}
	return withPeople(ctx, s, func(people *identity.Service) error {
		return people.Link(ctx, t.ID, t.User, s.JWTIssuer, t.Subject)
	})
}

// withPeople opens the database for a command. The embedded one is brought up to
// date; a server database is only checked.
func withPeople(ctx context.Context, s *settings, run func(people *identity.Service) error) error {
	key, err := s.key()
	if err != nil {
		return err
	}
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	if s.embedded() {
		err = db.Migrate(ctx)
	} else {
		err = db.Verify(ctx)
	}
	if err == nil {
		err = run(people(db, key))
	}
	return errors.Join(err, db.Close())
}
