package agents

import (
	"context"
	"errors"
	"maps"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/vault"
)

// Mask stands for a secret in everything that people see. Sent back, it keeps
// the value that is stored.
const Mask = "********"

// maxSecret is the largest secret, in bytes.
const maxSecret = 8 << 10

// place is the record in which a secret is stored. A box that is moved to
// another one does not open.
type place struct{ kind, tenant, agent, slug, user string }

func placeOf(t models.ToolkitSettings) place {
	return place{kind: "settings", tenant: t.TenantID, agent: t.AgentID, slug: t.Slug}
}

func placeOfOwn(o models.ToolkitOverride) place {
	return place{kind: "override", tenant: o.TenantID, agent: o.AgentID, slug: o.Slug, user: o.UserID}
}

// of returns the place of one value of one secret, as a box is bound to it.
func (p place) of(name, id string) []string {
	return []string{p.kind, p.tenant, p.agent, p.slug, p.user, name, id}
}

// placeFrom is the place that [place.of] wrote down, the zero value for what it
// did not.
func placeFrom(bound []string) place {
	const fields = 7
	if len(bound) != fields {
		return place{}
	}
	return place{kind: bound[0], tenant: bound[1], agent: bound[2], slug: bound[3], user: bound[4]}
}

// PlaceOf returns the place of one value of a stored record, as it was sealed
// for.
func PlaceOf(row models.SealedRow, name, id string) []string {
	p := place{kind: "settings", tenant: row.TenantID, agent: row.AgentID, slug: row.Slug, user: row.UserID}
	if row.UserID != "" {
		p.kind = "override"
	}
	return p.of(name, id)
}

// sealed returns the secrets that were kept, and the fresh ones sealed. What was
// kept under a key of yesterday is sealed anew: that key may be about to go.
func (s *Service) sealed(
	ctx context.Context, at place, kept map[string]models.SealedSecret, fresh map[string]hosttools.Secret,
) (map[string]models.SealedSecret, error) {
	secrets := maps.Clone(kept)
	for name, secret := range kept {
		box, err := s.renewed(ctx, at, name, secret)
		if err != nil {
			return nil, sealless(err)
		}
		secrets[name] = models.SealedSecret{ID: secret.ID, Box: box}
	}
	for name, secret := range fresh {
		id := models.NewID()
		box, err := s.c.Box.Seal(ctx, at.tenant, []byte(secret.Reveal()), at.of(name, id)...)
		if err != nil {
			return nil, sealless(err)
		}
		secrets[name] = models.SealedSecret{ID: id, Box: box}
	}
	return secrets, nil
}

// renewed returns a box that is sealed with the key of today. One that does not
// open is left as it is.
func (s *Service) renewed(ctx context.Context, at place, name string, secret models.SealedSecret) ([]byte, error) {
	if ok, err := s.c.Box.Fresh(ctx, at.tenant, secret.Box); ok || err != nil {
		return secret.Box, err
	}
	plaintext, err := s.c.Box.Open(ctx, at.tenant, secret.Box, at.of(name, secret.ID)...)
	if errors.Is(err, vault.ErrSealed) {
		return secret.Box, nil // Whoever uses it is told to enter it again.
	}
	if err != nil {
		return nil, err
	}
	return s.c.Box.Seal(ctx, at.tenant, plaintext, at.of(name, secret.ID)...)
}

func sealless(cause error) error {
	return models.Errorf(models.CodeVaultUnavailable,
		"Secrets cannot be stored now. Ask whoever runs this server about its master key.").Because(cause)
}
