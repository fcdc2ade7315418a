package toolexec

import (
	"bytes"
	"context"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// rejudge judges a stored call anew before it runs. A read was judged a moment
// ago, in this process, by [Preparer.Prepare].
func (r *Runner) rejudge(ctx context.Context, e *execution) error {
	if e.approval == nil {
		return nil
	}
	call, err := r.preparer.Rejudge(ctx, *e.approval)
	if err != nil {
		return r.refuseBurned(ctx, e, err)
	}
	e.call = call
	return nil
}

// refuseBurned attaches the intent of an approval that was burned when it was
// decided, so that a refusal from here on is recorded as its end.
func (r *Runner) refuseBurned(ctx context.Context, e *execution, cause error) error {
	if e.approval.State != models.ApprovalConsumed {
		return cause
	}
	intent, err := r.approvals.Burn(ctx, *e.approval)
	if intent.ID == "" {
		return err
	}
	e.intent = intent
	return cause
}

// Rejudge prepares a stored call again, under the scope that its caller has
// now, and compares everything that the approval is bound to. Any difference,
// and any refusal, is approval_stale with a reason a person understands.
func (d *Preparer) Rejudge(ctx context.Context, a models.Approval) (*Prepared, error) {
	bound, err := d.bind(ctx, a)
	if err != nil {
		return nil, stale("the person who asked no longer has the right to", err)
	}
	call, err := d.Prepare(bound, Request{Slug: a.Slug, Method: a.Method, Raw: a.Arguments, Channel: channelOf(a), HasToken: true})
	if err != nil {
		return nil, stale("the call would be refused now", err)
	}
	for _, check := range []struct {
		same bool
		what string
	}{
		{bytes.Equal(call.Arguments, a.Arguments), "the tool now reads these arguments differently"},
		{bytes.Equal(call.ArgumentsHash[:], a.ArgumentsHash), "the stored arguments are not the ones that were shown"},
		{bytes.Equal(call.Tool.SchemaHash[:], a.SchemaHash), "the tool takes other arguments now"},
		{d.version(call.Tool) == a.ToolkitVersion, "the tool has another version now"},
		{bytes.Equal(call.Fingerprint[:], a.Fingerprint), "the tool is set up differently now"},
		{bytes.Equal(call.FilledBytes, a.Filled), "the server would fill in other values now"},
	} {
		if !check.same {
			return nil, stale(check.what, nil)
		}
	}
	return call, nil
}

// bind returns a context with the scope that the approval's caller has now.
func (d *Preparer) bind(ctx context.Context, a models.Approval) (context.Context, error) {
	scope, err := d.config.Resolver.Reload(ctx, a.TenantID, a.Caller)
	if err != nil {
		return nil, err
	}
	bound := tenancy.WithScope(ctx, scope)
	if a.AgentID != "" {
		bound = tenancy.WithAgent(bound, tenancy.Agent{ID: a.AgentID, Version: a.AgentVersion, Tenant: a.TenantID})
	}
	return bound, nil
}

// channelOf returns the channel on which a call was asked for.
func channelOf(a models.Approval) Channel {
	if a.SessionID == "" {
		return ChannelREST
	}
	return ChannelChat
}

func stale(why string, cause error) error {
	return models.Errorf(models.CodeApprovalStale, "Nothing ran: %s. Ask for it again.", why).Reason("stale").Because(cause)
}

// Version returns what an approval stores as the toolkit's version.
func (d *Preparer) Version(call *Prepared) string { return d.version(call.Tool) }
