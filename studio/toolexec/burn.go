package toolexec

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
)

// burn spends the approval. From here on the call is this execution's alone.
func (r *Runner) burn(ctx context.Context, e *execution) error {
	if e.approval == nil {
		return nil
	}
	intent, err := r.approvals.Burn(ctx, *e.approval)
	if err == nil && intent.State == models.IntentSettled {
		return models.Errorf(models.CodeApprovalConsumed, "This call ran already. It runs only once.")
	}
	e.intent = intent
	return err
}
