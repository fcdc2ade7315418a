package sample

import (
	"context"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
)

// everyone gets a notice that names no recipient.
const everyone = "everyone"

// notifyTool constructs fs_notify. It declares no access on purpose: the
// registry then takes it for a write, and it waits for an approval.
func (c *Company) notifyTool() (hosttools.Entry, error) {
	return hosttools.Tool{
		Title:       "Notices",
		Version:     version,
		TenantBound: true,
		Method: hosttools.NewMethod("fs_notify",
			"Send a short notice to a colleague, or to everyone in the company.",
			c.notify, hosttools.Verb("Send a notice")),
	}, nil
}

// NotifyIn is what fs_notify takes.
type NotifyIn struct {
	Tenant    hosttools.TenantID `json:"-"`
	Caller    hosttools.CallerID `json:"-"`
	Message   string             `json:"message" jsonschema:"the text of the notice" minLength:"1" maxLength:"500"`
	Recipient string             `json:"recipient,omitempty" jsonschema:"name or e-mail address of the colleague; everyone if absent" minLength:"1" maxLength:"120"`
}

// NotifyOut is what fs_notify returns.
type NotifyOut struct {
	NoticeID  int64  `json:"notice_id" jsonschema:"number of the notice"`
	Recipient string `json:"recipient" jsonschema:"who gets it"`
}

func (c *Company) notify(ctx context.Context, in NotifyIn) (NotifyOut, error) {
	recipient := in.Recipient
	if recipient == "" {
		recipient = everyone
	}
	out := NotifyOut{Recipient: recipient}
	err := c.db.QueryRowContext(ctx,
		`INSERT INTO notices (tenant, recipient, message, caller) VALUES (?, ?, ?, ?) RETURNING id`,
		string(in.Tenant), recipient, in.Message, string(in.Caller)).Scan(&out.NoticeID)
	if err != nil {
		return NotifyOut{}, fmt.Errorf("store the notice: %w", err)
	}
	return out, nil
}
