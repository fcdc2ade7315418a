package approval_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

func TestTokenIsInertUntilApproved(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		ctx := as(t, caller())
		a, token := b.request()
		require.NotContains(t, string(b.stored(a.ID).TokenHash), token, "the token itself is not stored")
		_, err := b.Redeemable(ctx, prepared(someArguments), token)
		require.Equal(t, models.CodeApprovalPending, models.CodeOf(err))

		_, err = b.Approve(ctx, decision(a))
		require.NoError(t, err)
		for range 2 {
			open, err := b.Redeemable(ctx, prepared(someArguments), token)
			require.NoError(t, err, "looking spends nothing")
			require.Equal(t, a.ID, open.ID)
		}
	})
}

// TestRedeemable tries the token of an approved request in other ways.
func TestRedeemable(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		_, token := b.approved()
		elsewhere, otherMethod, otherTool := caller(), prepared(someArguments), prepared(someArguments)
		elsewhere.Tenant = "globex"
		other := *otherMethod.Tool
		other.Method = "refund_order"
		otherMethod.Tool = &other
		another := *otherTool.Tool
		another.Slug = "fs_invoices"
		otherTool.Tool = &another
		for name, c := range map[string]struct {
			scope  tenancy.Scope
			call   *toolexec.Prepared
			token  string
			code   models.Code
			reason string
		}{
			"as it was approved":      {caller(), prepared(someArguments), token, "", ""},
			"no token":                {caller(), prepared(someArguments), "", models.CodeTokenInvalid, ""},
			"an unknown token":        {caller(), prepared(someArguments), token + "A", models.CodeTokenInvalid, ""},
			"the token in small case": {caller(), prepared(someArguments), "a" + token[1:], models.CodeTokenInvalid, ""},
			"another caller":          {admin(), prepared(someArguments), token, models.CodeTokenInvalid, ""},
			"another tenant":          {elsewhere, prepared(someArguments), token, models.CodeTokenInvalid, ""},
			"another tool":            {caller(), otherTool, token, models.CodeTokenInvalid, ""},
			"another method":          {caller(), otherMethod, token, models.CodeTokenInvalid, ""},
			"other arguments":         {caller(), prepared(`{"order_id":"A-1003"}`), token, models.CodeConfirmationRequired, "arguments_mismatch"},
			"no arguments":            {caller(), prepared(`{}`), token, models.CodeConfirmationRequired, "arguments_mismatch"},
			"nobody":                  {tenancy.Scope{}, prepared(someArguments), token, models.CodeTenantRequired, ""},
		} {
			_, err := b.Redeemable(as(t, c.scope), c.call, c.token)
			require.Equal(t, c.code, models.CodeOf(err), name)
			require.Equal(t, c.reason, models.ReasonOf(err), name)
		}
	})
}

// TestUnknownAndForeignTokensAreAnsweredAlike lets nobody find out tokens.
func TestUnknownAndForeignTokensAreAnsweredAlike(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		_, token := b.approved()
		foreign, errForeign := b.Redeemable(as(t, admin()), prepared(someArguments), token)
		unknown, errUnknown := b.Redeemable(as(t, admin()), prepared(someArguments), "unknown")
		require.Equal(t, errUnknown, errForeign)
		require.Equal(t, unknown, foreign)
	})
}

// TestEndedApprovalsRedeemNothing ends approvals in every way.
func TestEndedApprovalsRedeemNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		for name, c := range map[string]struct {
			end  func(models.Approval)
			code models.Code
		}{
			"denied": {func(a models.Approval) {
				_, err := b.Deny(as(t, caller()), decision(a))
				require.NoError(t, err)
			}, models.CodeApprovalDecided},
			"stale": {func(a models.Approval) {
				b.judge.refusal = models.Errorf(models.CodeApprovalStale, "It changed.")
				defer func() { b.judge.refusal = nil }()
				_, err := b.Approve(as(t, caller()), decision(a))
				require.Equal(t, models.CodeApprovalStale, models.CodeOf(err))
			}, models.CodeApprovalStale},
			"consumed": {func(a models.Approval) {
				_, err := b.Approve(as(t, caller()), decision(a))
				require.NoError(t, err)
				_, err = b.Burn(t.Context(), a)
				require.NoError(t, err)
			}, models.CodeApprovalConsumed},
		} {
			a, token := b.request()
			c.end(a)
			_, err := b.Redeemable(as(t, caller()), prepared(someArguments), token)
			require.Equal(t, c.code, models.CodeOf(err), name)
		}
	})
}

func TestExpiredRequestRedeemsNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(c *approval.Config) { c.DecideWithin = 1e6 }, func(t *testing.T, b *bundle) {
		a, token := b.request()
		b.waitFor(a.ExpiresAt)
		require.NoError(t, b.Expire(t.Context(), b.partition(), a.ID))
		_, err := b.Redeemable(as(t, caller()), prepared(someArguments), token)
		require.Equal(t, models.CodeApprovalExpired, models.CodeOf(err))
	})
}

// TestApprovedRequestMustBeRedeemedInTime approves what can be redeemed for a
// millisecond.
func TestApprovedRequestMustBeRedeemedInTime(t *testing.T) {
	t.Parallel()
	onBoth(t, func(c *approval.Config) { c.RedeemWithin = 1e6 }, func(t *testing.T, b *bundle) {
		a, _ := b.approved()
		b.waitFor(a.RedeemExpiresAt)
		_, err := b.Burn(t.Context(), a)
		require.Equal(t, models.CodeApprovalExpired, models.CodeOf(err))
		_, burned := b.intentOf(a.ID)
		require.False(t, burned)
		require.Contains(t, b.told.expiries, a.RedeemExpiresAt, "somebody looks after it then")
		require.NoError(t, b.Expire(t.Context(), b.partition(), a.ID))
		require.Equal(t, models.ApprovalExpired, b.stored(a.ID).State)
		require.Equal(t, []models.AuditAction{models.AuditRequested, models.AuditApproved, models.AuditExpired}, b.audited(a.ID))
	})
}
