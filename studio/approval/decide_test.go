package approval_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/tenancy"
)

// decide is Approve or Deny.
type decide func(context.Context, approval.Decision) (models.Approval, error)

// both returns the two ways to decide.
func both(b *bundle) map[string]decide {
	return map[string]decide{"approve": b.Approve, "deny": b.Deny}
}

// TestWhoMayDecide tries everybody. Whoever may not changes nothing.
func TestWhoMayDecide(t *testing.T) {
	t.Parallel()
	of := func(scope tenancy.Scope, change func(*tenancy.Scope)) tenancy.Scope {
		change(&scope)
		return scope
	}
	via := func(scope tenancy.Scope, via tenancy.Via) tenancy.Scope {
		return of(scope, func(s *tenancy.Scope) { s.Via = via })
	}
	const denied, unseen = models.CodeDecisionDenied, models.CodeNotFound
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		for name, c := range map[string]struct {
			scope tenancy.Scope
			want  models.Code
		}{
			"the caller":                {caller(), ""},
			"an admin":                  {admin(), ""},
			"a caller without rights":   {of(caller(), func(s *tenancy.Scope) { s.MayAuthor = false }), ""},
			"a superuser":               {of(caller(), func(s *tenancy.Scope) { s.User, s.Superuser = "sue", true }), ""},
			"the caller, how unknown":   {via(caller(), ""), denied},
			"the caller's token":        {via(caller(), tenancy.ViaAPI), denied},
			"the caller's MCP client":   {via(caller(), tenancy.ViaMCP), denied},
			"a job of the caller":       {via(caller(), tenancy.ViaJob), denied},
			"some other way":            {via(caller(), "Browser"), denied},
			"an admin's token":          {via(admin(), tenancy.ViaAPI), denied},
			"a job of an admin":         {via(admin(), tenancy.ViaJob), denied},
			"a browser without session": {of(caller(), func(s *tenancy.Scope) { s.Session = "" }), denied},
			"a studio that is off":      {of(caller(), func(s *tenancy.Scope) { s.StudioEnabled = false }), denied},
			"a peer":                    {of(caller(), func(s *tenancy.Scope) { s.User = "pete" }), unseen},
			"a peer's token":            {of(via(caller(), tenancy.ViaAPI), func(s *tenancy.Scope) { s.User = "pete" }), unseen},
			"the caller, elsewhere":     {of(caller(), func(s *tenancy.Scope) { s.Tenant = "globex" }), unseen},
			"an admin, elsewhere":       {of(admin(), func(s *tenancy.Scope) { s.Tenant = "globex" }), unseen},
			"a superuser, elsewhere":    {of(admin(), func(s *tenancy.Scope) { s.Tenant, s.Superuser = "globex", true }), unseen},
			"somebody of no tenant":     {of(admin(), func(s *tenancy.Scope) { s.Tenant = "" }), models.CodeTenantRequired},
		} {
			for way, decide := range both(b) {
				a := b.ask("turn")
				_, err := decide(as(t, c.scope), decision(a))
				require.Equal(t, c.want, models.CodeOf(err), "%s, to %s", name, way)
				if c.want != "" {
					require.Equal(t, models.ApprovalPending, b.stored(a.ID).State, name)
					require.Equal(t, []models.AuditAction{models.AuditRequested}, b.audited(a.ID), name)
				}
			}
		}
		_, err := b.Approve(t.Context(), decision(b.ask("turn")))
		require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
	})
}

// TestUnseenApprovalsAreAbsent compares whole errors.
func TestUnseenApprovalsAreAbsent(t *testing.T) {
	t.Parallel()
	peer := caller()
	peer.User = "pete"
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		a := b.ask("turn")
		_, absent := b.Get(as(t, peer), models.NewID())
		require.Equal(t, models.CodeNotFound, models.CodeOf(absent))
		for _, id := range []string{a.ID, "", "x", strings.ToUpper(a.ID), "' OR '1'='1"} {
			_, err := b.Get(as(t, peer), id)
			require.Equal(t, absent, err, id)
			for _, decide := range both(b) {
				d := decision(a)
				d.ID = id
				_, err := decide(as(t, peer), d)
				require.Equal(t, absent, err, id)
			}
		}
		found, err := b.List(as(t, peer), nil, 10)
		require.NoError(t, err)
		require.Empty(t, found)
		for _, scope := range []tenancy.Scope{caller(), admin()} {
			found, err := b.List(as(t, scope), nil, 10)
			require.NoError(t, err)
			require.Len(t, found, 1)
		}
	})
}

// TestAnotherCardDecidesNothing says that a decision counts for what was seen.
func TestAnotherCardDecidesNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		a, other := b.ask("turn"), b.ask("turn")
		for name, change := range map[string]func(*approval.Decision){
			"no nonce":              func(d *approval.Decision) { d.Nonce = "" },
			"another card's nonce":  func(d *approval.Decision) { d.Nonce = other.Nonce },
			"a longer nonce":        func(d *approval.Decision) { d.Nonce += "A" },
			"no hash":               func(d *approval.Decision) { d.Hash = "" },
			"the beginning of it":   func(d *approval.Decision) { d.Hash = d.Hash[:8] },
			"the hash in big case":  func(d *approval.Decision) { d.Hash = strings.ToUpper(d.Hash) },
			"neither nonce or hash": func(d *approval.Decision) { d.Nonce, d.Hash = "", "" },
		} {
			for way, decide := range both(b) {
				d := decision(a)
				change(&d)
				_, err := decide(as(t, caller()), d)
				require.Equal(t, models.CodeCardChanged, models.CodeOf(err), "%s, to %s", name, way)
			}
		}
		require.Equal(t, models.ApprovalPending, b.stored(a.ID).State)
		_, err := b.Approve(as(t, caller()), decision(a))
		require.NoError(t, err)
	})
}

// TestDecidingAgain decides twice, in a conversation and for a program.
func TestDecidingAgain(t *testing.T) {
	t.Parallel()
	const consumed, decided = models.CodeApprovalConsumed, models.CodeApprovalDecided
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		for name, c := range map[string]struct {
			turn          string
			first, second string
			by            tenancy.Scope // of the second
			want          models.Code
		}{
			"approved twice":               {"turn", "approve", "approve", caller(), ""},
			"denied twice":                 {"turn", "deny", "deny", caller(), ""},
			"approved, then denied":        {"turn", "approve", "deny", caller(), consumed},
			"denied, then approved":        {"turn", "deny", "approve", caller(), decided},
			"approved by another too":      {"turn", "approve", "approve", admin(), consumed},
			"denied by another too":        {"turn", "deny", "deny", admin(), decided},
			"denied by another":            {"turn", "approve", "deny", admin(), consumed},
			"approved by another":          {"turn", "deny", "approve", admin(), decided},
			"program: approved twice":      {"", "approve", "approve", caller(), ""},
			"program: approved and denied": {"", "approve", "deny", caller(), decided},
			"program: denied and approved": {"", "deny", "approve", caller(), decided},
		} {
			a := b.ask(c.turn)
			first, err := both(b)[c.first](as(t, caller()), decision(a))
			require.NoError(t, err, name)
			before, entries := b.stored(a.ID), b.audited(a.ID)
			again, err := both(b)[c.second](as(t, c.by), decision(a))
			require.Equal(t, c.want, models.CodeOf(err), name)
			require.Equal(t, first.State, again.State, name)
			require.Equal(t, before, b.stored(a.ID), name)
			require.Equal(t, entries, b.audited(a.ID), name)
			require.Len(t, entries, 2, name)
		}
	})
}

// TestWhatADecisionBrings looks at everything that commits with it.
func TestWhatADecisionBrings(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		yes, no := b.ask("turn-yes"), b.ask("turn-no")
		d := decision(yes)
		d.Reason = strings.Repeat("é", approval.MaxReason)
		approved, err := b.Approve(as(t, admin()), d)
		require.NoError(t, err)
		require.Equal(t, models.ApprovalConsumed, approved.State)
		stored := b.stored(yes.ID)
		require.Equal(t, "ada", stored.DecidedBy)
		require.Equal(t, "ada's browser", stored.DecisionSession)
		require.Equal(t, models.InstantOf(admin().AuthTime), stored.DecisionAuth)
		require.Len(t, stored.Reason, approval.MaxReason)
		require.True(t, utf8.ValidString(stored.Reason))
		intent, burned := b.intentOf(yes.ID)
		require.True(t, burned)
		require.Equal(t, models.IntentBurned, intent.State)
		require.Equal(t, 1, b.told.advanced["turn-yes"])

		_, err = b.Deny(as(t, caller()), decision(no))
		require.NoError(t, err)
		_, burned = b.intentOf(no.ID)
		require.False(t, burned)
		require.Equal(t, 1, b.told.advanced["turn-no"])
		require.Len(t, b.told.changes, 2)
		require.Equal(t, models.ApprovalDenied, b.told.changes[1].State)
	})
}

// TestStaleIsClosed lets the door refuse what was asked for.
func TestStaleIsClosed(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		a, denied := b.ask("turn"), b.ask("turn")
		b.judge.refusal = models.Errorf(models.CodeApprovalStale, "The tool changed.")
		for range 2 {
			_, err := b.Approve(as(t, caller()), decision(a))
			require.Equal(t, models.CodeApprovalStale, models.CodeOf(err))
		}
		stored := b.stored(a.ID)
		require.Equal(t, models.ApprovalStale, stored.State)
		require.Equal(t, "The tool changed.", stored.Reason)
		require.Equal(t, []models.AuditAction{models.AuditRequested, models.AuditStale}, b.audited(a.ID))
		require.Equal(t, 1, b.told.advanced["turn"], "the turn goes on")
		_, err := b.Deny(as(t, caller()), decision(denied))
		require.NoError(t, err, "what would not run can still be denied")
	})
}
