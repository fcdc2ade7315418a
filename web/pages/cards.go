package pages

import (
	"strings"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
	views "github.com/agentstudio/agentstudio/views/approvals"
	"github.com/agentstudio/agentstudio/views/ui"
)

// anAgent stands for an agent that the viewer cannot see or that is gone.
const anAgent = "An agent"

// cards turns stored approvals into what people see of them.
type cards struct {
	*frame
	agents   *agents.Service
	registry *hosttools.Registry
}

// card returns the card of an approval. Everything on it comes from the stored
// bytes, or is what the host registered.
func (k *cards) card(r *request, a models.Approval) (views.Card, error) {
	names, err := k.names(r.ctx, r.scope.Tenant, []string{a.Caller, a.DecidedBy})
	if err != nil {
		return views.Card{}, err
	}
	tenant, err := k.directory.TenantName(r.ctx, r.scope.Tenant)
	if err != nil {
		return views.Card{}, err
	}
	agent, err := k.agentTitle(r, a)
	if err != nil {
		return views.Card{}, err
	}
	d, _ := k.registry.Find(a.Slug, a.Method)
	card, err := cardOf(a, d)
	if err != nil {
		return views.Card{}, err
	}
	card.Site, card.Tenant, card.Agent = r.site, tenant, agent
	card.Person, card.Decision.By = names(a.Caller), names(a.DecidedBy)
	for i, f := range card.Filled {
		if f.Value == a.Caller {
			card.Filled[i].Note = names(a.Caller)
		}
	}
	card.CannotDecide = k.cannotDecide(r.scope, a)
	return card, nil
}

// agentTitle returns what the agent was called in the version that asked, and
// "" when no agent did.
func (k *cards) agentTitle(r *request, a models.Approval) (string, error) {
	if a.AgentID == "" {
		return "", nil
	}
	version, err := k.agents.ByID(r.ctx, a.AgentID, a.AgentVersion)
	if models.CodeOf(err) == models.CodeNotFound {
		return anAgent, nil
	}
	return version.Definition.Title, err
}

// cannotDecide says why the caller may not decide, for those who see the card.
// It only saves them a refusal: package approval decides who may.
func (k *cards) cannotDecide(scope tenancy.Scope, a models.Approval) string {
	switch {
	case scope.Via != tenancy.ViaBrowser || scope.Session == "":
		return "Only a person who is signed in in a browser can decide."
	case a.Caller != scope.User && !scope.Administers(), k.allow(scope, policy.ApprovalsDecide) != nil:
		return "Only the person who asked or an admin can decide on this call."
	}
	return ""
}

// cardOf returns the part of a card that depends on nothing but the approval
// and its tool. d is nil when the tool is not registered any more.
func cardOf(a models.Approval, d *hosttools.Descriptor) (views.Card, error) {
	args, err := canon.Parse(a.Arguments)
	if err != nil {
		return views.Card{}, err
	}
	filled, err := canon.Parse(a.Filled)
	if err != nil {
		return views.Card{}, err
	}
	card := views.Card{
		ID: a.ID, Verb: verbOf(a, d), Tool: toolOf(a.Slug, a.Method), Consequential: d != nil && d.Consequential,
		AgentVersion: a.AgentVersion, Args: arguments(args, d), Filled: filledOf(filled), Why: whyOf(a.Why),
		Hash: approval.CardHash(a), Nonce: a.Nonce, State: stateOf(a), Outcome: views.Outcome(a.Outcome),
		Requested: a.IssuedAt.Time(), Expires: a.ExpiresAt.Time(), RedeemUntil: a.RedeemExpiresAt.Time(),
		Decision: views.Decision{At: a.DecidedAt.Time(), Reason: a.Reason},
	}
	if a.Outcome != "" {
		card.Run = runOf(a)
	}
	return card, nil
}

func verbOf(a models.Approval, d *hosttools.Descriptor) string {
	if d != nil && d.Verb != "" {
		return d.Verb
	}
	return "Run " + a.Method
}

func toolOf(slug, method string) string {
	if method == "" || method == slug {
		return slug
	}
	return slug + " · " + method
}

func filledOf(v canon.Value) []views.Filled {
	var filled []views.Filled
	for _, m := range v.Members() {
		filled = append(filled, views.Filled{Name: m.Name, Value: m.Value.Str()})
	}
	return filled
}

// whyOf reads the verdict as the engine words it: the reviewer, a colon, and
// what they said. Without a review there is none.
func whyOf(w models.ApprovalWhy) views.Why {
	why := views.Why{Words: w.Words, Rules: w.Rules, Reasoning: w.Reasoning}
	by, said, ok := strings.Cut(w.Verdict, ": ")
	if ok && by != "Not reviewed" {
		why.VerdictBy, why.Verdict = by, ui.Mark{Text: "Review: " + said, Tone: ui.OK}
	}
	return why
}

// stateOf returns the state as people see it. A call that was burned and has
// not ended yet is approved, whether it runs already or other calls of its step
// come first; one that no conversation asked for is granted to the program that
// did, until it redeems it.
func stateOf(a models.Approval) views.State {
	switch {
	case a.State == models.ApprovalConsumed && a.Outcome == "":
		return views.Approved
	case a.State == models.ApprovalApproved && a.TurnID == "":
		return views.Granted
	}
	return views.State(a.State)
}

// runOf says what happened when the call ran. A failure is in the tool's own
// words, which promise that nothing was changed.
func runOf(a models.Approval) views.Run {
	run := views.Run{At: a.SettledAt.Time()}
	envelope, err := toolexec.DecodeEnvelope(a.Result)
	switch {
	case err != nil:
		run.Sentence = "What it answered cannot be read."
	case a.Outcome == models.OutcomeSucceeded:
		run.Sentence, run.Result = line(envelope.Result), indented(envelope.Result)
	case a.Outcome == models.OutcomeFailed:
		run.Sentence = strings.TrimSpace(envelope.Message + " Nothing was changed.")
	default:
		run.Sentence = envelope.Message
	}
	return run
}

// rows returns approvals as lines of a list: one query for the names of agents
// and one for those of people.
func (k *cards) rows(r *request, list []models.Approval) ([]views.Row, error) {
	if len(list) == 0 {
		return nil, nil
	}
	items, err := k.agents.List(r.ctx)
	if err != nil {
		return nil, err
	}
	var people []string
	for _, a := range list {
		people = append(people, a.Caller, a.DecidedBy)
	}
	names, err := k.names(r.ctx, r.scope.Tenant, people)
	if err != nil {
		return nil, err
	}
	titles := titlesOf(items)
	rows := make([]views.Row, 0, len(list))
	for _, a := range list {
		d, _ := k.registry.Find(a.Slug, a.Method)
		row := rowOf(a, d)
		row.Person, row.DecidedBy = names(a.Caller), names(a.DecidedBy)
		if a.AgentID != "" {
			row.Agent = titles(a.AgentID)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func rowOf(a models.Approval, d *hosttools.Descriptor) views.Row {
	return views.Row{
		ID: a.ID, Verb: verbOf(a, d), Tool: toolOf(a.Slug, a.Method), Line: line(a.Arguments),
		Consequential: d != nil && d.Consequential, State: stateOf(a), Outcome: views.Outcome(a.Outcome),
		Requested: a.IssuedAt.Time(), Expires: a.ExpiresAt.Time(), DecidedAt: a.DecidedAt.Time(),
	}
}

// titlesOf returns a look-up of what agents are called, by id.
func titlesOf(items []agents.Item) func(id string) string {
	titles := map[string]string{}
	for _, item := range items {
		titles[item.Agent.ID] = item.Live.Definition.Title
	}
	return func(id string) string {
		if title := titles[id]; title != "" {
			return title
		}
		return anAgent
	}
}
