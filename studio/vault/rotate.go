package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// PlaceOf returns the place of each value of a record by the name of the secret,
// as it was sealed for.
type PlaceOf func(row models.SealedRow, name, id string) []string

// Progress is how far a rotation is.
type Progress struct {
	Tenant   string // "" for GLOBAL
	Done, Of int    // tenants
	Resealed int    // records of this tenant
}

// Status is what one tenant has.
type Status struct {
	Tenant  string
	Keys    []models.DataKey
	Records map[string]int // by data key; "" for what was sealed before there were any
}

// Rotate seals every secret of every tenant anew, with new keys that the first
// master key wraps, and deletes the old keys. Servers may read and write
// meanwhile: every secret opens at every moment, and what is saved meanwhile is
// sealed with the new key. When it was cut off, it goes on where it was.
func (k *Keyring) Rotate(ctx context.Context, place PlaceOf, tell func(Progress)) error {
	tenants, err := k.store.VaultTenants(ctx)
	if err != nil {
		return fmt.Errorf("vault: list the tenants with secrets: %w", err)
	}
	for i, tenant := range tenants {
		p, err := tenancy.PartitionFromStored(tenant)
		if err != nil {
			return err
		}
		resealed, err := k.rotate(ctx, p, place)
		if err != nil {
			return fmt.Errorf("vault: rotate the keys of %q: %w", p.Tenant(), err)
		}
		tell(Progress{Tenant: p.Tenant(), Done: i + 1, Of: len(tenants), Resealed: resealed})
	}
	return nil
}

// rotate rotates one tenant's keys.
func (k *Keyring) rotate(ctx context.Context, p tenancy.Partition, place PlaceOf) (resealed int, err error) {
	if err := k.store.Write(ctx, p, func(ctx context.Context) error { return k.renew(ctx, p.Stored()) }); err != nil {
		return 0, err
	}
	for {
		var rows []models.SealedRow
		var current models.DataKey
		err := k.store.Write(ctx, p, func(ctx context.Context) error {
			if current, _, err = k.store.CurrentDataKey(ctx); err != nil {
				return err
			}
			rows, err = k.store.SealedRows(ctx)
			return err
		})
		if err != nil {
			return resealed, err
		}
		left := 0
		for _, row := range rows {
			changed, err := k.reseal(ctx, p, row, current, place)
			if err != nil {
				return resealed, err
			}
			if changed {
				left++
			}
		}
		if resealed += left; left > 0 {
			continue // until a whole look finds nothing
		}
		finished, err := k.finish(ctx, p)
		if finished || err != nil {
			return resealed, err
		}
	}
}

// renew retires the current key and makes the next one. While a retired one is
// there, a rotation was cut off, which is finished first, unless its key is not
// wrapped by today's master key.
func (k *Keyring) renew(ctx context.Context, tenant string) error {
	keys, err := k.store.DataKeys(ctx)
	if err != nil {
		return err
	}
	number, retired := 1, false
	var current models.DataKey
	for _, key := range keys {
		number, retired = key.Number+1, retired || key.RetiredAt != 0
		if key.RetiredAt == 0 {
			current = key
		}
	}
	if retired && current.Master == k.masters[0].id {
		return nil
	}
	if current.ID != "" {
		if _, err := k.store.RetireDataKey(ctx, current.ID); err != nil {
			return err
		}
	}
	return k.create(ctx, tenant, number)
}

// reseal seals the secrets of a record with the current key, and reports whether
// it was to be done. A record that somebody saves meanwhile is looked at again.
func (k *Keyring) reseal(
	ctx context.Context, p tenancy.Partition, row models.SealedRow, current models.DataKey, place PlaceOf,
) (bool, error) {
	var secrets map[string]models.SealedSecret
	if err := json.Unmarshal([]byte(row.Secrets), &secrets); err != nil {
		return false, fmt.Errorf("read the secrets of %s: %w", row.Slug, err)
	}
	stale := false
	for name, secret := range secrets {
		if id, ok := keyOf(secret.Box); ok && id == current.ID {
			continue
		}
		stale = true
		plaintext, err := k.Open(ctx, row.TenantID, secret.Box, place(row, name, secret.ID)...)
		if err != nil {
			return false, fmt.Errorf("open a secret of %s: %w", row.Slug, err)
		}
		if secret.Box, err = k.sealWith(current, row.TenantID, plaintext, place(row, name, secret.ID)); err != nil {
			return false, err
		}
		secrets[name] = secret
	}
	if !stale {
		return false, nil
	}
	data, err := json.Marshal(secrets)
	if err != nil {
		return false, fmt.Errorf("encode secrets: %w", err)
	}
	return true, k.store.Write(ctx, p, func(ctx context.Context) error {
		_, err := k.store.ResealRow(ctx, row, string(data))
		return err
	})
}

// finish deletes the retired keys, if no record needs them. Nobody seals while it
// looks.
func (k *Keyring) finish(ctx context.Context, p tenancy.Partition) (bool, error) {
	finished := false
	err := k.store.Write(ctx, p, func(ctx context.Context) error {
		keys, err := k.store.DataKeys(ctx)
		if err != nil {
			return err
		}
		used, err := k.used(ctx)
		if err != nil {
			return err
		}
		finished = used[""] == 0
		for _, key := range keys {
			if key.RetiredAt == 0 {
				continue
			}
			if used[key.ID] > 0 {
				finished = false
				continue
			}
			if _, err := k.store.DeleteDataKey(ctx, key.ID); err != nil {
				return err
			}
		}
		return nil
	})
	return finished, err
}

// used counts the records of a partition by the keys that they need.
func (k *Keyring) used(ctx context.Context) (map[string]int, error) {
	rows, err := k.store.SealedRows(ctx)
	if err != nil {
		return nil, err
	}
	used := map[string]int{}
	for _, row := range rows {
		var secrets map[string]models.SealedSecret
		if err := json.Unmarshal([]byte(row.Secrets), &secrets); err != nil {
			return nil, errors.Join(errors.New("a record's secrets cannot be read"), err)
		}
		needs := map[string]bool{}
		for _, secret := range secrets {
			id, _ := keyOf(secret.Box)
			needs[id] = true
		}
		for id := range needs {
			used[id]++
		}
	}
	return used, nil
}

// Status returns what every tenant has.
func (k *Keyring) Status(ctx context.Context) ([]Status, error) {
	tenants, err := k.store.VaultTenants(ctx)
	if err != nil {
		return nil, err
	}
	var all []Status
	for _, tenant := range tenants {
		p, err := tenancy.PartitionFromStored(tenant)
		if err != nil {
			return nil, err
		}
		s := Status{Tenant: p.Tenant()}
		err = k.store.Write(ctx, p, func(ctx context.Context) (err error) {
			if s.Keys, err = k.store.DataKeys(ctx); err != nil {
				return err
			}
			s.Records, err = k.used(ctx)
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
