package agents

import (
	"maps"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
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

// sealed returns the secrets that were kept, and the fresh ones sealed.
func (s *Service) sealed(
	at place, kept map[string]models.SealedSecret, fresh map[string]hosttools.Secret,
) (map[string]models.SealedSecret, error) {
	secrets := maps.Clone(kept)
	for name, secret := range fresh {
		id := models.NewID()
		box, err := s.c.Box.Seal([]byte(secret.Reveal()), at.of(name, id)...)
		if err != nil {
			return nil, models.Errorf(models.CodeVaultUnavailable,
				"Secrets cannot be stored now. Ask whoever runs this server about its master key.").Because(err)
		}
		secrets[name] = models.SealedSecret{ID: id, Box: box}
	}
	return secrets, nil
}
