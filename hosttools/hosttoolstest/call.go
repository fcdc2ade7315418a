package hosttoolstest

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// call is what became of a call through the door.
type call struct {
	tenant   string
	envelope toolexec.Envelope
	err      error  // a refusal of the door
	causes   string // of a failure, as the door's log has them
}

// through sends a call through the door: a read as a program would, a write
// with an approval of exactly that call.
func (s *suite) through(ctx context.Context, t *tool, tenant string, raw []byte) call {
	ctx, heard := listen(scoped(ctx, tenant))
	c := call{tenant: tenant}
	prepared, err := s.preparer.Prepare(ctx, request(t, raw))
	switch {
	case err != nil:
		c.err = err
	case prepared.Write():
		c.envelope, c.err = s.runner.Approved(ctx, s.approvals.grant(prepared, s.preparer.Version(prepared)))
	default:
		c.envelope, c.err = s.runner.Read(ctx, prepared)
	}
	c.causes = heard.String()
	return c
}

// request asks for a call as a program with an approval does.
func request(t *tool, raw []byte) toolexec.Request {
	return toolexec.Request{Slug: t.Slug, Method: t.Method, Raw: raw, Channel: toolexec.ChannelREST, HasToken: true}
}

// ordinaryCall makes the ordinary call for a tenant, once in a run.
func (s *suite) ordinaryCall(ctx context.Context, t *tool, tenant string) call {
	if made, ok := t.calls[tenant]; ok {
		return made
	}
	c := s.through(ctx, t, tenant, t.raw)
	t.calls[tenant] = c
	return c
}

// home returns the first tenant for which the ordinary call succeeds, and false
// when there is none, or the tool is broken for either.
func (s *suite) home(ctx context.Context, t *tool) (string, bool) {
	if !s.runs(ctx, t) {
		return "", false
	}
	a, b := s.ordinaryCall(ctx, t, s.tenants[0]), s.ordinaryCall(ctx, t, s.tenants[1])
	switch {
	case a.broken() || b.broken():
		return "", false
	case a.succeeded():
		return a.tenant, true
	default:
		return b.tenant, b.succeeded()
	}
}

// handy is [suite.home] for a tool whose result is not too large either, so that
// it may be called many times.
func (s *suite) handy(ctx context.Context, t *tool) (string, bool) {
	tenant, works := s.home(ctx, t)
	return tenant, works && len(t.calls[tenant].envelope.Result) <= s.bytes
}

func (c call) succeeded() bool { return c.err == nil && c.envelope.Status == toolexec.StatusSuccess }

// broken reports whether a call ended neither well nor in words of the tool.
func (c call) broken() bool {
	if c.err != nil {
		return true
	}
	if c.envelope.Status == toolexec.StatusSuccess {
		return false
	}
	switch models.Code(c.envelope.ErrorCode) {
	case models.CodeToolFailed, models.CodeOutcomeUnknown, models.CodeToolTimeout, models.CodeResultUnreadable,
		models.CodeInstantiationFailed, models.CodeInternal:
		return true
	case models.CodeToolScopeUnavailable:
		return c.envelope.Reason != string(tenancy.HostTenantMismatch)
	default:
		return false
	}
}

// How the door's log names what a tool must not do.
const (
	panicked    = "the tool panicked"
	gone        = "the tool ended its goroutine"
	timeExpired = "context deadline exceeded"
)

// crash says how a call crashed or hung, and "" when it did neither.
func (c call) crash() string {
	for _, how := range []string{panicked, gone} {
		if strings.Contains(c.causes, how) {
			return c.causes
		}
	}
	if models.Code(c.envelope.ErrorCode) == models.CodeToolTimeout || strings.Contains(c.causes, timeExpired) {
		return "it did not return in time"
	}
	return ""
}

// String says how a call ended.
func (c call) String() string {
	switch {
	case c.err != nil:
		return c.withCauses(c.err.Error())
	case c.succeeded():
		return "success"
	default:
		return c.withCauses(fmt.Sprintf("%s (%s)", c.envelope.ErrorCode, strings.TrimSuffix(c.envelope.Message, ".")))
	}
}

func (c call) withCauses(text string) string {
	if c.causes == "" {
		return text
	}
	return text + ": " + c.causes
}
