package hosttoolstest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// uncut is the size of results up to which the door of the suite passes them
// on, so that what is too large can still be looked at.
const uncut = 64 << 20

// openDoor builds the same door that the Studio's calls go through.
func (s *suite) openDoor() error {
	authorizer, err := policy.NewAuthorizer()
	if err != nil {
		return err
	}
	preparer, err := toolexec.NewPreparer(toolexec.Config{
		Registry: s.registry, Authorizer: authorizer, Resolver: members{}, Auditor: unaudited{},
		Settings: s.setups, Build: "hosttoolstest", Logger: slog.New(ear{}),
	})
	if err != nil {
		return err
	}
	s.preparer = preparer
	s.runner = toolexec.NewRunner(preparer, s.approvals, toolexec.Limits{
		Deadline: s.deadline, Atomic: s.deadline, Options: s.deadline, ResultBytes: uncut,
	})
	return nil
}

// members is a resolver by which the caller belongs to every tenant.
type members struct{}

// Resolve returns an error: the suite has no requests.
func (members) Resolve(context.Context, *http.Request) (tenancy.Scope, error) {
	return tenancy.Scope{}, errors.New("there are no requests")
}

// Reload returns the scope of the caller in a tenant.
func (members) Reload(_ context.Context, tenant, user string) (tenancy.Scope, error) {
	scope := scopeOf(tenant)
	scope.User, scope.Via = user, tenancy.ViaJob
	return scope, nil
}

// unaudited keeps no audit.
type unaudited struct{}

// WriteRefused does nothing.
func (unaudited) WriteRefused(context.Context, *hosttools.Descriptor, error) error { return nil }

// setups are the configurations of the toolkits, as the vault would hold them.
type setups struct {
	configs  map[string][]byte // by slug
	revealed atomic.Int64      // how often one was opened, which comes before every construction
}

// Setting returns the configuration of a toolkit, the same for everybody.
func (s *setups) Setting(_ context.Context, tool *hosttools.Descriptor, _, _ string) (toolexec.Setting, error) {
	config, ok := s.configs[tool.Slug]
	if !ok {
		return toolexec.Setting{}, fmt.Errorf("there is no configuration for %s", tool.Slug)
	}
	return toolexec.Setting{Stored: true, Version: tool.Slug, Params: config}, nil
}

// Reveal returns the configuration with its secrets.
func (s *setups) Reveal(_ context.Context, setting toolexec.Setting) ([]byte, error) {
	s.revealed.Add(1)
	return setting.Params, nil
}
