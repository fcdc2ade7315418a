package approval

import (
	"bytes"
	"context"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Redeemable returns the approval that a token opens for exactly this call of
// this caller. Its errors are token_invalid, confirmation_required with reason
// arguments_mismatch, or why the approval has ended. The token stays unspent.
func (s *Service) Redeemable(ctx context.Context, call *toolexec.Prepared, token string) (models.Approval, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.Approval{}, err
	}
	var a models.Approval
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		a, err = s.c.Store.ApprovalByToken(ctx, tokenHash(token))
		return err
	})
	if models.CodeOf(err) == models.CodeNotFound || err == nil && (a.Caller != scope.User || a.Slug != call.Tool.Slug || a.Method != call.Tool.Method) {
		return models.Approval{}, models.Errorf(models.CodeTokenInvalid, "This approval token opens no call of yours.")
	}
	if err != nil {
		return models.Approval{}, err
	}
	if a.State == models.ApprovalPending {
		return a, pending()
	}
	if a.State != models.ApprovalApproved {
		return a, Ended(a)
	}
	if !bytes.Equal(a.Arguments, call.Arguments) {
		return a, models.Errorf(models.CodeConfirmationRequired,
			"These are not the arguments that were approved. Nothing ran, and the token still opens the approved call.").
			Reason("arguments_mismatch")
	}
	return a, nil
}

func pending() error {
	return models.Errorf(models.CodeApprovalPending, "Nobody has approved this yet.")
}
