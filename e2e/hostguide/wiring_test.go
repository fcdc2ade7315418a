package hostguide_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

func hostOf(server *mailServer, customers contacts) hosttools.Host {
	return hosttools.Host{
		Prefix: "hd_",
		Tools: map[string]hosttools.Constructor{
			"hd_mail":     newMail,
			"hd_contacts": customers.toolkit,
			"hd_credits":  newCredits,
		},
		Config: map[string]map[string]any{"hd_mail": {"mailbox": "service"}},
		App:    map[string]any{"mail": server},
	}
}

// tolerant keeps what is in order, and says what is not.
func tolerant(host hosttools.Host, logger *slog.Logger) *hosttools.Registry {
	registry := hosttools.NewRegistry(host)
	for _, rejected := range registry.Rejections() {
		logger.Warn("offered without it", "slug", rejected.Slug, "reason", rejected.Reason)
	}
	return registry
}

func fromFile(data []byte, server *mailServer, customers contacts) (*hosttools.Registry, error) {
	host, err := hosttools.ParseHost("toolkits.yaml", data, map[string]hosttools.Constructor{
		"mail": newMail, "contacts": customers.toolkit, "credits": newCredits,
	})
	if err != nil {
		return nil, err
	}
	host.App = map[string]any{"mail": server}
	registry := hosttools.NewRegistry(host)
	return registry, registry.Err()
}

// programs lets programs call, beside the people that another resolver knows.
type programs struct {
	tenancy.Resolver
	tokens map[string]tenancy.Scope // by token
}

func (p programs) Resolve(ctx context.Context, r *http.Request) (tenancy.Scope, error) {
	token, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !found {
		return p.Resolver.Resolve(ctx, r)
	}
	scope, known := p.tokens[token]
	if !known {
		return tenancy.Scope{}, models.Errorf(models.CodeUnauthenticated, "This token is not valid.")
	}
	scope.Via, scope.Session = tenancy.ViaAPI, "" // a program never decides
	return scope, nil
}
