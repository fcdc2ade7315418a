package sample

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/tenancy"
)

// everyone gets a notice that names no recipient.
const everyone = "everyone"

// NoticesConfig is what a tenant's people can set of fs_notify.
type NoticesConfig struct {
	Channel    string           `json:"channel,omitempty" jsonschema:"Where notices appear. Everywhere if absent." maxLength:"40"`
	Sender     string           `json:"sender,omitempty" jsonschema:"Name under which notices are sent." maxLength:"80"`
	SigningKey hosttools.Secret `json:"signing_key,omitempty" jsonschema:"Key with which each notice is signed. Notices are not signed without one."`
}

// notices is an instance of fs_notify.
type notices struct {
	*Company

	config NoticesConfig
}

// notifyTool constructs fs_notify. It declares no access on purpose: the
// registry then takes it for a write, and it waits for an approval.
func (c *Company) notifyTool() (hosttools.Entry, error) {
	n := &notices{Company: c}
	return hosttools.Tool{
		Title:       "Notices",
		Version:     version,
		TenantBound: true,
		Config:      &n.config,
		Options:     map[string]hosttools.OptionsFunc{"channel": n.channels},
		Method: hosttools.NewMethod("fs_notify",
			"Send a short notice to a colleague, or to everyone in the company.",
			n.notify, hosttools.Verb("Send a notice")),
	}, nil
}

// channels lists the channels of the caller's tenant.
func (n *notices) channels(ctx context.Context) ([]hosttools.Option, error) {
	scope, err := tenancy.Gate(ctx)
	if err != nil {
		return nil, err
	}
	return query(ctx, n.db, func(scan func(...any) error) (o hosttools.Option, err error) {
		return o, scan(&o.Value, &o.Label)
	}, queryChannels, scope.Tenant)
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

func (n *notices) notify(ctx context.Context, in NotifyIn) (NotifyOut, error) {
	recipient := in.Recipient
	if recipient == "" {
		recipient = everyone
	}
	out := NotifyOut{Recipient: recipient}
	err := n.db.QueryRowContext(ctx, `INSERT INTO notices (tenant, recipient, message, caller, channel, sender, signature)
		VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		string(in.Tenant), recipient, in.Message, string(in.Caller), n.config.Channel, n.config.Sender, n.sign(in.Message),
	).Scan(&out.NoticeID)
	if err != nil {
		return NotifyOut{}, fmt.Errorf("store the notice: %w", err)
	}
	return out, nil
}

// sign returns the HMAC-SHA-256 of a message in hexadecimal digits, "" without
// a key.
func (n *notices) sign(message string) string {
	key := n.config.SigningKey.Reveal()
	if key == "" {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(message))
	return hex.EncodeToString(mac.Sum(nil))
}
