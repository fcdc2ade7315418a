package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/vault"
)

// vaultCommand looks after the keys of stored secrets.
type vaultCommand struct {
	Rotate vaultRotate `cmd:"" help:"Seal every stored secret anew, with new keys. Works while servers run, and goes on where it was cut off."`
	Status vaultStatus `cmd:"" help:"List the keys of every tenant and how many records use them."`
}

type vaultRotate struct{}

// Run rotates all keys, and says how far it is.
func (vaultRotate) Run(ctx context.Context, s *settings) error {
	return s.withVault(ctx, func(keys *vault.Keyring) error {
		err := keys.Rotate(ctx, agents.PlaceOf, func(p vault.Progress) {
			fmt.Fprintf(os.Stdout, "%d of %d: %s, %d records sealed anew\n", p.Done, p.Of, tenantInWords(p.Tenant), p.Resealed)
		})
		if err == nil {
			fmt.Fprintln(os.Stdout, "All secrets are sealed with new keys; the old ones are deleted.")
		}
		return err
	})
}

type vaultStatus struct{}

// Run lists the keys.
func (vaultStatus) Run(ctx context.Context, s *settings) error {
	return s.withVault(ctx, func(keys *vault.Keyring) error {
		all, err := keys.Status(ctx)
		for _, tenant := range all {
			fmt.Fprintf(os.Stdout, "%s\n", tenantInWords(tenant.Tenant))
			for _, key := range tenant.Keys {
				state := "current"
				if key.RetiredAt != 0 {
					state = "retired"
				}
				fmt.Fprintf(os.Stdout, "  key %d, %s, wrapped by master key %s: %d records\n", key.Number, state, key.Master, tenant.Records[key.ID])
			}
			if old := tenant.Records[""]; old > 0 {
				fmt.Fprintf(os.Stdout, "  without a data key: %d records; rotate to give them one\n", old)
			}
		}
		return err
	})
}

func tenantInWords(tenant string) string {
	if tenant == "" {
		return "GLOBAL"
	}
	return "tenant " + tenant
}

// withVault opens the database for a command that works with its secrets.
func (s *settings) withVault(ctx context.Context, run func(keys *vault.Keyring) error) error {
	key, err := s.key()
	if err != nil {
		return err
	}
	previous, err := s.previousKeys()
	if err != nil {
		return err
	}
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	err = db.Verify(ctx)
	if err == nil {
		var keys *vault.Keyring
		if keys, err = vault.NewKeyring(db, key, previous...); err == nil {
			err = run(keys)
		}
	}
	return errors.Join(err, db.Close())
}

// previousKeys loads the master key before this one, where it is named.
func (s *settings) previousKeys() ([]vault.MasterKey, error) {
	if s.PreviousKeyFile == "" {
		return nil, nil
	}
	key, err := vault.LoadKey(s.PreviousKeyFile)
	return []vault.MasterKey{key}, err
}
