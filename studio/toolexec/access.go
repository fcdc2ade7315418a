package toolexec

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
)

// ReasonNoApproval is details.reason of a write that nobody approved.
const ReasonNoApproval = "no_approval"

// access stops a write on a channel where nobody can be asked, unless the
// caller redeems an approval.
func (d *Preparer) access(_ context.Context, p *Prepared) error {
	if !p.Write() || p.Request.Channel == ChannelChat || p.Request.HasToken {
		return nil
	}
	route := p.Tool.Slug
	if !p.Tool.Standalone {
		route += "." + p.Tool.Method
	}
	return models.Errorf(models.CodeConfirmationRequired,
		"%s changes something, so a person has to approve this exact call first. "+
			"Ask for that with POST …/tools/%s/requests.", p.Tool.Name, route).Reason(ReasonNoApproval)
}
