package engine

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Send adds the caller's message to their conversation and starts a turn on
// the agent's live version. A turn that is still open is cancelled first, with
// everything of it that is not burned.
func (e *Engine) Send(ctx context.Context, sessionID, text string) (models.Turn, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.Turn{}, err
	}
	text = strings.TrimSpace(text)
	if text == "" || utf8.RuneCountInString(text) > maxMessage || !utf8.ValidString(text) {
		return models.Turn{}, models.Errorf(models.CodeValidation,
			"Write a message of 1 to %d characters.", maxMessage).With("field", "text")
	}
	var turn models.Turn
	err = e.Store.Write(ctx, p, func(ctx context.Context) error {
		chat, agent, err := e.conversation(ctx, scope, sessionID)
		if err != nil {
			return err
		}
		if err := e.cancelOpen(ctx, p, chat.ID, "A new message came first."); err != nil {
			return err
		}
		turn = models.Turn{
			TenantID: p.Stored(), ID: models.NewID(), SessionID: chat.ID, AgentID: agent.ID, AgentVersion: agent.Version,
			Caller: scope.User, State: models.TurnQueued, Memory: models.TurnMemory{Input: text},
		}
		return e.begun(ctx, p, chat, turn, scope.Name)
	})
	return turn, err
}

// conversation returns the caller's conversation and its agent, which they
// must still be allowed to see.
func (e *Engine) conversation(ctx context.Context, scope tenancy.Scope, id string) (models.ChatSession, models.Agent, error) {
	if !models.ValidID(id) {
		return models.ChatSession{}, models.Agent{}, models.NotFound()
	}
	chat, err := e.Store.Session(ctx, id)
	if err != nil {
		return chat, models.Agent{}, err
	}
	if chat.Owner != scope.User {
		return chat, models.Agent{}, models.NotFound()
	}
	agent, err := e.Store.AgentByID(ctx, chat.AgentID)
	if err == nil && !visible(scope, agent) {
		err = models.NotFound()
	}
	return chat, agent, err
}

func visible(scope tenancy.Scope, a models.Agent) bool {
	return scope.CanSee(tenancy.Shared{
		Tenant: a.TenantID, Owner: a.Owner, Visibility: a.Visibility, Groups: a.AllowedGroups,
	})
}

// begun writes a new turn, what the person said, and the job that answers.
func (e *Engine) begun(ctx context.Context, p tenancy.Partition, chat models.ChatSession, turn models.Turn, from string) error {
	if err := e.Store.CreateTurn(ctx, turn); err != nil {
		return err
	}
	said := session.Message{Text: turn.Memory.Input, From: from}
	if err := e.Log.Say(ctx, turn, models.SourceCustomer, said); err != nil {
		return err
	}
	if err := e.Log.Append(ctx, turn, session.Status{State: models.TurnQueued, Version: turn.AgentVersion}); err != nil {
		return err
	}
	if chat.NextOffset == 0 {
		if err := e.Store.RenameSession(ctx, chat.ID, titleOf(turn.Memory.Input)); err != nil {
			return err
		}
	}
	return e.Queue.AdvanceTurn(ctx, p, turn.ID)
}

// titleOf names a conversation by its first message.
func titleOf(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= maxTitle {
		return text
	}
	return string([]rune(text)[:maxTitle-1]) + "…"
}

// Stop cancels the open turn of the caller's conversation. Nothing of it
// starts after Stop has returned; what was burned before runs to its end. With
// no open turn it does nothing.
func (e *Engine) Stop(ctx context.Context, sessionID string) error {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return err
	}
	return e.Store.Write(ctx, p, func(ctx context.Context) error {
		chat, _, err := e.conversation(ctx, scope, sessionID)
		if err != nil {
			return err
		}
		return e.cancelOpen(ctx, p, chat.ID, "Stopped.")
	})
}

// cancelOpen cancels the open turn of a conversation, in the unit of ctx.
func (e *Engine) cancelOpen(ctx context.Context, p tenancy.Partition, sessionID, why string) error {
	turn, open, err := e.Store.OpenTurn(ctx, sessionID)
	if err != nil || !open {
		return err
	}
	return e.cancel(ctx, p, turn, why)
}

// EndTurnsOf cancels the open turns of an agent that is deleted, whoever's they
// are, in the unit of ctx. What was burned runs to its end.
func (e *Engine) EndTurnsOf(ctx context.Context, p tenancy.Partition, agentID string) error {
	open, err := e.Store.OpenTurnsOf(ctx, agentID)
	if err != nil {
		return err
	}
	for _, turn := range open {
		if err := e.cancel(ctx, p, turn, "The agent was deleted."); err != nil {
			return err
		}
	}
	return nil
}

// cancel cancels an open turn, its waiting approvals and its unfinished calls.
func (e *Engine) cancel(ctx context.Context, p tenancy.Partition, turn models.Turn, why string) error {
	if cancelled, err := e.Store.CancelTurn(ctx, turn.ID); err != nil || !cancelled {
		return err
	}
	if err := e.Approvals.CancelTurn(ctx, turn.ID, why); err != nil {
		return err
	}
	if err := e.cancelCalls(ctx, p, turn, why); err != nil {
		return err
	}
	return e.Log.Append(ctx, turn, session.Status{State: models.TurnCancelled, Message: why})
}

// cancelCalls settles the calls of a turn that ends early. A call whose
// approval is burned was promised, so it goes on: a job sees to that.
func (e *Engine) cancelCalls(ctx context.Context, p tenancy.Partition, turn models.Turn, why string) error {
	calls, err := e.Store.CallsOf(ctx, turn.ID)
	if err != nil {
		return err
	}
	promised := false
	for _, call := range calls {
		if call.State == models.CallSettled {
			continue
		}
		burned, err := e.burned(ctx, call)
		if err != nil {
			return err
		}
		if burned {
			promised = true
			continue
		}
		if err := e.settle(ctx, turn, call, toolexec.NotApproved("cancelled", why)); err != nil {
			return err
		}
	}
	if !promised {
		return nil
	}
	return e.Queue.AdvanceTurn(ctx, p, turn.ID)
}

func (e *Engine) burned(ctx context.Context, call models.Call) (bool, error) {
	if call.ApprovalID == "" {
		return false, nil
	}
	a, err := e.Store.Approval(ctx, call.ApprovalID)
	return a.State == models.ApprovalConsumed, err
}
