package studio_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/hosttools/sample"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
)

// script is a model that says what a test tells it to.
type script struct {
	steps func(step int, req llm.Request) llm.Response
	asked chan llm.Request
}

func (s *script) Name() string { return "script" }

func (s *script) Generate(_ context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		response := s.steps(len(s.asked), req)
		s.asked <- req
		if response.Text != "" && !yield(llm.Event{Kind: llm.EventTextDelta, Text: response.Text}, nil) {
			return
		}
		for _, call := range response.Calls {
			if !yield(llm.Event{Kind: llm.EventToolCall, Call: call}, nil) {
				return
			}
		}
		yield(llm.Event{Kind: llm.EventDone}, nil)
	}
}

// bundle is an assembled Studio on a SQLite file with the demo's people.
type bundle struct {
	t       *testing.T
	app     *studio.Studio
	db      *store.Store
	people  *identity.Service
	company *sample.Company
	model   *script
	host    hosttools.Host
}

func TestMain(m *testing.M) { os.Exit(storetest.Main(m, migrate)) }

// migrate brings the database at dsn up to date.
func migrate(ctx context.Context, dsn string) error {
	db, err := store.Open(ctx, store.Config{DSN: dsn})
	if err != nil {
		return err
	}
	return errors.Join(db.Migrate(ctx), db.Close())
}

type option func(*bundle, *studio.Config)

// on puts the Studio on the database at dsn instead of a new file.
func on(t *testing.T, dsn string) option {
	t.Helper()
	return func(b *bundle, config *studio.Config) {
		db, err := store.Open(t.Context(), store.Config{DSN: dsn})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		people := identity.NewService(identity.Config{Store: db, Tokens: identity.NewTokens(config.Key.Derive(vault.PurposeTokens), time.Now)})
		require.NoError(t, identity.SeedDemo(t.Context(), db, models.InstantOf(time.Now())))
		b.db, b.people, config.Database, config.Resolver = db, people, db, people
	}
}

func setup(t *testing.T, steps func(step int, req llm.Request) llm.Response, options ...option) *bundle {
	t.Helper()
	ctx := t.Context()
	b := &bundle{t: t, model: &script{steps: steps, asked: make(chan llm.Request, 100)}}
	folder := t.TempDir()
	var err error
	b.db, err = store.Open(ctx, store.Config{DSN: filepath.Join(folder, "studio.db")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.db.Close()) })
	require.NoError(t, b.db.Migrate(ctx))
	key, err := vault.LoadOrCreateKey(filepath.Join(folder, "master.key"))
	require.NoError(t, err)
	b.people = identity.NewService(identity.Config{Store: b.db, Tokens: identity.NewTokens(key.Derive(vault.PurposeTokens), time.Now)})
	require.NoError(t, identity.SeedDemo(ctx, b.db, models.InstantOf(time.Now())))
	b.company, err = sample.Open(ctx, filepath.Join(folder, "orders.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.company.Close()) })
	b.host = b.company.Host()
	config := studio.Config{
		Database: b.db, Key: key, Resolver: b.people, Models: []llm.Model{b.model}, DefaultModel: "script",
		Logger: slog.New(slog.DiscardHandler),
	}
	for _, option := range options {
		option(b, &config)
	}
	config.Registry = hosttools.NewRegistry(b.host)
	require.Empty(t, config.Registry.Rejections())
	b.app, err = studio.New(config)
	require.NoError(t, err)
	require.NoError(t, b.app.Start(ctx))
	t.Cleanup(func() { require.NoError(t, b.app.Stop(context.WithoutCancel(ctx))) })
	return b
}

// as returns a context of somebody of acme in a browser.
func (b *bundle) as(email string) context.Context {
	b.t.Helper()
	scope, err := b.people.Reload(b.t.Context(), "acme", identity.UserID(email))
	require.NoError(b.t, err)
	scope.Via, scope.Session, scope.AuthTime = tenancy.ViaBrowser, models.NewID(), time.Now()
	return tenancy.WithScope(b.t.Context(), scope)
}

// desk makes an agent with all tools and returns a conversation with it.
func (b *bundle) desk(ctx context.Context, change func(*models.Definition)) string {
	b.t.Helper()
	d := models.Definition{Title: "Desk"}
	for _, group := range b.app.Registry.Groups() {
		d.Toolkits = append(d.Toolkits, group.Slug)
		rule := agents.ToolkitRule(group)
		rule.Always = true
		d.Rules = append(d.Rules, rule)
	}
	if change != nil {
		change(&d)
	}
	agent, err := b.app.Agents.Create(ctx, agents.NewAgent{
		Name: "desk", Definition: d, Sharing: agents.Sharing{Visibility: models.VisibilityTenant},
	})
	require.NoError(b.t, err)
	chat, err := b.app.Sessions.Create(ctx, agent.ID)
	require.NoError(b.t, err)
	return chat.ID
}

// send sends a message and waits until the turn stands in a state.
func (b *bundle) send(ctx context.Context, chat, text string, state models.TurnState) models.Turn {
	b.t.Helper()
	turn, err := b.app.Engine.Send(ctx, chat, text)
	require.NoError(b.t, err)
	return b.reaches(ctx, turn.ID, state)
}

func (b *bundle) reaches(ctx context.Context, turnID string, state models.TurnState) models.Turn {
	b.t.Helper()
	_, p, err := tenancy.Caller(ctx)
	require.NoError(b.t, err)
	var turn models.Turn
	require.Eventually(b.t, func() bool {
		require.NoError(b.t, b.db.Read(ctx, p, func(ctx context.Context) error {
			turn, err = b.db.Turn(ctx, turnID)
			return err
		}))
		return turn.State == state
	}, 20*time.Second, 10*time.Millisecond, "the turn does not reach %s", state)
	return turn
}

// log returns the payloads of one kind in a conversation.
func payloads[P session.Payload](b *bundle, ctx context.Context, chat string) []P {
	b.t.Helper()
	events, err := b.app.Sessions.Events(ctx, chat, 0, 1000)
	require.NoError(b.t, err)
	var out []P
	for i, e := range events {
		require.EqualValues(b.t, i, e.Offset, "offsets grow by one")
		payload, err := session.Decode(e)
		require.NoError(b.t, err)
		if p, ok := payload.(P); ok {
			out = append(out, p)
		}
	}
	return out
}

func (b *bundle) pending(ctx context.Context) []models.Approval {
	b.t.Helper()
	found, err := b.app.Approvals.List(ctx, []models.ApprovalState{models.ApprovalPending}, 10)
	require.NoError(b.t, err)
	return found
}

func decision(a models.Approval) approval.Decision {
	return approval.Decision{ID: a.ID, Nonce: a.Nonce, Hash: approval.CardHash(a)}
}

func (b *bundle) order(tenant, id string) string {
	b.t.Helper()
	d, ok := b.app.Registry.Find("fs_orders", "get_order")
	require.True(b.t, ok)
	instance, err := d.Construct(nil)
	require.NoError(b.t, err)
	ctx := tenancy.WithScope(b.t.Context(), tenancy.Scope{User: "reader", Tenant: tenant})
	out, err := instance.Call(ctx, "get_order", []byte(`{"order_id":"`+id+`"}`), map[string]string{"tenant": tenant})
	require.NoError(b.t, err)
	return string(out)
}

func call(name string, args any) llm.Call {
	raw, err := json.Marshal(args)
	if err != nil {
		raw = nil
	}
	return llm.Call{ID: models.NewID(), Name: name, Arguments: raw}
}

type args = map[string]any

// once proposes calls in the first step and replies in the next.
func once(calls ...llm.Call) func(int, llm.Request) llm.Response {
	return func(step int, _ llm.Request) llm.Response {
		if step == 0 {
			return llm.Response{Calls: calls}
		}
		return llm.Response{Text: "That is how it stands."}
	}
}

var cancelA1002 = args{"order_id": "A-1002", "reason": "changed their mind"}

func TestApprovedCallRunsOnceAndIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t, once(call("fs_get_order", args{"order_id": "A-1002"}), call("fs_cancel_order", cancelA1002)))
	ctx := b.as("admin@acme.test")
	chat := b.desk(ctx, nil)
	turn := b.send(ctx, chat, "cancel order A-1002", models.TurnWaiting)

	waiting := b.pending(ctx)
	require.Len(t, waiting, 1)
	require.JSONEq(t, `{"order_id":"A-1002","reason":"changed their mind"}`, string(waiting[0].Arguments))
	require.Equal(t, "cancel order A-1002", waiting[0].Why.Words)
	require.Contains(t, b.order("acme", "A-1002"), "pending")

	decided, err := b.app.Approvals.Approve(ctx, decision(waiting[0]))
	require.NoError(t, err)
	require.Equal(t, models.ApprovalConsumed, decided.State, "decision and burn commit together")
	_, err = b.app.Approvals.Approve(ctx, decision(waiting[0]))
	require.NoError(t, err, "the same decision again is no error")
	_, err = b.app.Approvals.Deny(ctx, decision(waiting[0]))
	require.Equal(t, models.CodeApprovalConsumed, models.CodeOf(err))
	b.reaches(ctx, turn.ID, models.TurnDone)
	require.Contains(t, b.order("acme", "A-1002"), "cancelled")
	require.NotContains(t, b.order("globex", "A-1002"), "changed their mind")

	settled, err := b.app.Approvals.Get(ctx, waiting[0].ID)
	require.NoError(t, err)
	require.Equal(t, models.OutcomeSucceeded, settled.Outcome)
	entries, err := b.app.Audit.List(ctx, models.AuditFilter{Limit: 10})
	require.NoError(t, err)
	var actions []models.AuditAction
	for _, e := range entries {
		actions = append(actions, e.Action)
	}
	require.Equal(t, []models.AuditAction{models.AuditRan, models.AuditApproved, models.AuditRequested}, actions)
	require.Len(t, payloads[session.Review](b, ctx, chat), 1, "a consequential call is reviewed")
	replies := payloads[session.Message](b, ctx, chat)
	require.Equal(t, "That is how it stands.", replies[len(replies)-1].Text)
}

func TestDeniedCallIsForbiddenToTheModel(t *testing.T) {
	t.Parallel()
	var told string
	b := setup(t, func(step int, req llm.Request) llm.Response {
		if step == 0 {
			return llm.Response{Calls: []llm.Call{call("fs_cancel_order", cancelA1002)}}
		}
		told = req.Messages[len(req.Messages)-1].Text
		return llm.Response{Text: "Nothing was changed."}
	})
	ctx := b.as("admin@acme.test")
	chat := b.desk(ctx, nil)
	turn := b.send(ctx, chat, "cancel order A-1002", models.TurnWaiting)
	d := decision(b.pending(ctx)[0])
	d.Reason = "not today"
	_, err := b.app.Approvals.Deny(ctx, d)
	require.NoError(t, err)
	b.reaches(ctx, turn.ID, models.TurnDone)
	require.JSONEq(t, `{"status":"forbidden","error_code":"confirmation_required","reason":"denied","message":"not today"}`, told)
	require.Contains(t, b.order("acme", "A-1002"), "pending")
}

func TestRejectedStepRestartsUntilItsBudgetIsSpent(t *testing.T) {
	t.Parallel()
	var corrections []string
	b := setup(t, func(step int, req llm.Request) llm.Response {
		corrections = append(corrections, req.Correction)
		if req.ToolChoice == llm.ToolChoiceNone {
			return llm.Response{Text: "I could not do this."}
		}
		require.NotContains(t, req.Messages[len(req.Messages)-1].Text, "A-9999", "a retry does not see the rejected calls")
		return llm.Response{Calls: []llm.Call{call("fs_cancel_order", args{"order_id": "A-9999", "reason": "x"})}}
	})
	ctx := b.as("admin@acme.test")
	chat := b.desk(ctx, func(d *models.Definition) { d.Effort = models.EffortLow })
	turn := b.send(ctx, chat, "cancel my order", models.TurnDone)
	require.Equal(t, 3, turn.Memory.Restarts, "two restarts at LOW, and the rejection that gives up")
	require.Len(t, corrections, 4)
	require.Empty(t, corrections[0])
	require.Contains(t, corrections[1], "A-9999")
	require.Empty(t, b.pending(ctx))
	reviews := payloads[session.Review](b, ctx, chat)
	require.Len(t, reviews, 3)
	require.False(t, reviews[0].Passed)
}

func TestCallsThatAreNotOfferedNeverRun(t *testing.T) {
	t.Parallel()
	b := setup(t, once(call("fs_notify", args{"message": "hi"}), call("rm_rf", args{}), call("fs_get_order", args{"order_id": 7})))
	ctx := b.as("admin@acme.test")
	chat := b.desk(ctx, func(d *models.Definition) {
		for i := range d.Rules {
			if d.Rules[i].Toolkit == "fs_notify" {
				d.Rules[i].Always, d.Rules[i].Condition, d.Rules[i].Tools = false, "never mentioned", nil
			}
		}
	})
	b.send(ctx, chat, "show order A-1002", models.TurnDone)
	var codes []string
	for _, c := range payloads[session.Call](b, ctx, chat) {
		require.Equal(t, models.CallSettled, c.State)
		envelope, err := toolexec.DecodeEnvelope(c.Result)
		require.NoError(t, err)
		codes = append(codes, envelope.ErrorCode)
	}
	require.Equal(t, []string{"not_found", "not_found", "invalid_args"}, codes)
	require.Empty(t, b.pending(ctx))
}

// TestTamperedApprovalNeverRuns sets rows by SQL as somebody with the database
// could: nothing of it runs.
func TestTamperedApprovalNeverRuns(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"arguments":          `UPDATE approvals SET arguments = CAST('{"order_id":"A-1001","reason":"x"}' AS BLOB)`,
		"arguments and hash": `UPDATE approvals SET arguments = CAST('{"order_id":"A-1001","reason":"x"}' AS BLOB), arguments_hash = x'00'`,
		"caller":             `UPDATE approvals SET filled = CAST('{"caller":"somebody","tenant":"acme"}' AS BLOB)`,
		"tenant filled":      `UPDATE approvals SET filled = CAST(replace(CAST(filled AS TEXT), 'acme', 'globex') AS BLOB)`,
		"seal":               `UPDATE approvals SET seal = x'00'`,
		"expiry":             `UPDATE approvals SET expires_at = expires_at + 1`,
		"another method":     `UPDATE approvals SET method = 'refund_order'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, once(call("fs_cancel_order", cancelA1002)))
			ctx := b.as("admin@acme.test")
			chat := b.desk(ctx, nil)
			b.send(ctx, chat, "cancel order A-1002", models.TurnWaiting)
			_, err := b.db.SQL().ExecContext(ctx, sql)
			require.NoError(t, err)
			_, err = b.app.Approvals.Approve(ctx, decision(b.pending(ctx)[0]))
			require.Equal(t, models.CodeApprovalStale, models.CodeOf(err), "%v", err)
			require.Contains(t, b.order("acme", "A-1002"), "pending")
			require.NotContains(t, b.order("acme", "A-1001"), `"x"`)
		})
	}
}

// TestForgedDecisionNeverRuns sets an approval to approved, and to consumed
// with an intent, by SQL.
func TestForgedDecisionNeverRuns(t *testing.T) {
	t.Parallel()
	b := setup(t, once(call("fs_cancel_order", cancelA1002)))
	ctx := b.as("admin@acme.test")
	chat := b.desk(ctx, nil)
	turn := b.send(ctx, chat, "cancel order A-1002", models.TurnWaiting)
	forged := b.pending(ctx)[0]
	_, err := b.db.SQL().ExecContext(ctx, `UPDATE approvals SET state = 'approved', decided_by = caller,
		decision_seal = seal, redeem_expires_at = expires_at`)
	require.NoError(t, err)
	approved, err := b.app.Approvals.Get(ctx, forged.ID)
	require.NoError(t, err)
	_, err = b.app.Runner.Approved(ctx, approved)
	require.Equal(t, models.CodeApprovalStale, models.CodeOf(err))

	_, err = b.db.SQL().ExecContext(ctx, `UPDATE approvals SET state = 'consumed', consumed_at = 1`)
	require.NoError(t, err)
	_, err = b.db.SQL().ExecContext(ctx, `INSERT INTO intents (tenant_id, id, approval_id, state, burned_at, started_at, settled_at)
		SELECT tenant_id, 'forged', id, 'burned', 1, 0, 0 FROM approvals`)
	require.NoError(t, err)
	_, p, err := tenancy.Caller(ctx)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		return b.app.Engine.Advance(ctx, p, turn.ID) == nil // the job may have the turn for a moment
	}, 10*time.Second, 10*time.Millisecond)
	require.Contains(t, b.order("acme", "A-1002"), "pending")
}

// TestApprovalGoesStale changes what an approval is bound to while it waits.
func TestApprovalGoesStale(t *testing.T) {
	t.Parallel()
	b := setup(t, once(call("fs_cancel_order", cancelA1002)))
	ctx := b.as("support@acme.test")
	admin := b.as("admin@acme.test")
	chat := b.desk(ctx, nil)
	turn := b.send(ctx, chat, "cancel order A-1002", models.TurnWaiting)
	waiting := b.pending(ctx)[0]
	_, err := b.db.SQL().ExecContext(ctx, `DELETE FROM memberships WHERE user_id = ?`, identity.UserID("support@acme.test"))
	require.NoError(t, err)
	_, err = b.app.Approvals.Approve(admin, decision(waiting))
	require.Equal(t, models.CodeApprovalStale, models.CodeOf(err), "who asked lost the right to")
	b.reaches(admin, turn.ID, models.TurnFailed)
	require.Contains(t, b.order("acme", "A-1002"), "pending")
}

func TestExpiredApprovalCannotBeApproved(t *testing.T) {
	t.Parallel()
	b := setup(t, once(call("fs_cancel_order", cancelA1002)),
		func(_ *bundle, c *studio.Config) { c.DecideWithin = time.Millisecond })
	ctx := b.as("admin@acme.test")
	chat := b.desk(ctx, nil)
	turn, err := b.app.Engine.Send(ctx, chat, "cancel order A-1002")
	require.NoError(t, err)
	var asked []models.Approval
	require.Eventually(t, func() bool {
		asked, err = b.app.Approvals.List(ctx, nil, 10)
		return err == nil && len(asked) == 1
	}, 10*time.Second, 10*time.Millisecond)
	time.Sleep(5 * time.Millisecond)
	_, err = b.app.Approvals.Approve(ctx, decision(asked[0]))
	require.Equal(t, models.CodeApprovalExpired, models.CodeOf(err))
	b.reaches(ctx, turn.ID, models.TurnDone)
	require.Contains(t, b.order("acme", "A-1002"), "pending")
}

func TestStopCancelsWhatWaits(t *testing.T) {
	t.Parallel()
	b := setup(t, once(call("fs_cancel_order", cancelA1002)))
	ctx := b.as("admin@acme.test")
	chat := b.desk(ctx, nil)
	turn := b.send(ctx, chat, "cancel order A-1002", models.TurnWaiting)
	waiting := b.pending(ctx)[0]
	require.NoError(t, b.app.Engine.Stop(ctx, chat))
	b.reaches(ctx, turn.ID, models.TurnCancelled)
	_, err := b.app.Approvals.Approve(ctx, decision(waiting))
	require.Equal(t, models.CodeApprovalDecided, models.CodeOf(err))
	require.Contains(t, b.order("acme", "A-1002"), "pending")
}

// TestConversationsAreTheirOwners lets an admin of the same tenant, who may see
// much, try to speak in somebody else's conversation.
func TestConversationsAreTheirOwners(t *testing.T) {
	t.Parallel()
	b := setup(t, once(call("fs_cancel_order", cancelA1002)))
	admin, support := b.as("admin@acme.test"), b.as("support@acme.test")
	chat := b.desk(admin, nil)
	_, err := b.app.Engine.Send(support, chat, "cancel order A-1002")
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	b.send(admin, chat, "cancel order A-1002", models.TurnWaiting)
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.app.Engine.Stop(support, chat)))
	_, err = b.app.Sessions.Events(support, chat, 0, 10)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	require.Len(t, b.pending(admin), 1, "nothing of it was cancelled")
}
