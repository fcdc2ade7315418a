package hosttoolstest

import (
	"context"
	"fmt"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// approval reports a write that is not refused when nobody approved it: to a
// program, which cannot ask, and where it is run as if it were a read.
func (s *suite) approval(ctx context.Context, t *tool) []problem {
	if t.reads() || t.raw == nil {
		return nil
	}
	ctx = scoped(ctx, s.tenants[0])
	before := s.setups.revealed.Load()
	asked := request(t, t.raw)
	asked.HasToken = false
	_, err := s.preparer.Prepare(ctx, asked)
	if problems := s.unapproved("A program's call", err, before); len(problems) > 0 {
		return problems
	}
	asked.Channel = toolexec.ChannelChat
	proposed, err := s.preparer.Prepare(ctx, asked)
	if err == nil {
		_, err = s.runner.Read(ctx, proposed)
	}
	return s.unapproved("A model's call", err, before)
}

func (s *suite) unapproved(what string, err error, revealed int64) []problem {
	const fix = "Declare the method Write, or leave its access undeclared, and keep to the registry's way to it."
	if models.CodeOf(err) != models.CodeConfirmationRequired || models.ReasonOf(err) != toolexec.ReasonNoApproval {
		return []problem{{fmt.Sprintf("%s that nobody approved ended with %q.", what, ending{err: err}.answer()), fix}}
	}
	if s.setups.revealed.Load() != revealed {
		return []problem{{what + " that nobody approved opened the configuration.", fix}}
	}
	return nil
}
