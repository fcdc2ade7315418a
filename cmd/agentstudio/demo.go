package main

import (
	"context"
	"time"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/tenancy"
)

// deskName is the demo agent of every tenant.
const deskName = "order-desk"

// seed writes the demo's people and agents, once.
func (d *demo) seed(ctx context.Context) error {
	if err := identity.SeedDemo(ctx, d.db, models.InstantOf(time.Now())); err != nil {
		return err
	}
	for _, person := range identity.DemoPeople() {
		if person.Role != models.RoleAdmin {
			continue
		}
		if err := d.seedAgent(ctx, person); err != nil {
			return err
		}
	}
	return nil
}

// seedAgent makes the tenant's demo agent, as its admin, unless it is there.
func (d *demo) seedAgent(ctx context.Context, admin identity.DemoPerson) error {
	scope, err := d.people.Reload(ctx, admin.Tenant, identity.UserID(admin.Email))
	if err != nil {
		return err
	}
	ctx = tenancy.WithScope(ctx, scope)
	if _, err := d.app.Agents.Get(ctx, deskName); models.CodeOf(err) != models.CodeNotFound {
		return err
	}
	_, err = d.app.Agents.Create(ctx, agents.NewAgent{
		Name: deskName, Definition: d.orderDesk(), Sharing: agents.Sharing{Visibility: models.VisibilityTenant},
	})
	return err
}

func (d *demo) orderDesk() models.Definition {
	desk := models.Definition{
		Title:       "Order desk",
		Description: "Looks up orders, and cancels, refunds or annotates them when you say so.",
		Instructions: "You help the people of the order desk. Look before you change anything, " +
			"and say plainly what was done and what was not.",
		Rules: []models.Rule{
			{
				ID: models.NewID(), Kind: models.RulePolicy, Title: "Cancellations", Weight: models.WeightHigh,
				Condition:         "the customer wants to cancel or call off something",
				Content:           "Only pending orders can be cancelled. Give the customer's own reason.",
				TriggerToolReview: true,
			},
			{
				ID: models.NewID(), Kind: models.RulePolicy, Title: "Refunds", Weight: models.WeightHigh,
				Condition: "the customer wants a refund, or money back",
				Content:   "Refund at most what was paid, and name the reason.",
			},
			{
				ID: models.NewID(), Kind: models.RulePolicy, Title: "Honest answers", Weight: models.WeightLow, Always: true,
				Content: "Never say that something was done unless a tool's result says so.",
			},
		},
	}
	for _, group := range d.app.Registry.Groups() {
		desk.Toolkits = append(desk.Toolkits, group.Slug)
		desk.Rules = append(desk.Rules, agents.ToolkitRule(group))
	}
	return desk
}
