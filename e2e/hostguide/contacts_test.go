package hostguide_test

import (
	"context"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
)

// Contact is how a customer is reached: one of the types below.
type Contact interface{ line() string }

// Mail is an address.
type Mail struct {
	Address string `json:"address" format:"email"`
}

// Phone is a number.
type Phone struct {
	Number string `json:"number" pattern:"^\\+[0-9]{6,15}$"`
}

func (m Mail) line() string  { return m.Address }
func (p Phone) line() string { return p.Number }

type contactIn struct {
	Tenant   hosttools.TenantID `json:"-"`
	Caller   hosttools.CallerID `json:"-"`
	Customer int64              `json:"customer" jsonschema:"id of the customer" minimum:"1"`
	Contact  Contact            `json:"contact" jsonschema:"how to reach them"`
	Note     *string            `json:"note,omitempty" jsonschema:"why it changed; null removes the note" maxLength:"500"`
	Channels []string           `json:"channels,omitempty" jsonschema:"what it is used for" enum:"invoices,news" maxItems:"2"`
}

type contactOut struct {
	Line string `json:"line" jsonschema:"the contact as it is stored"`
}

// contacts has customers of several tenants, by id.
type contacts struct{ owner map[int64]string }

func (c contacts) set(_ context.Context, in contactIn) (contactOut, error) {
	switch owner := c.owner[in.Customer]; owner {
	case "":
		return contactOut{}, hosttools.Errorf("customer_not_found", "There is no customer %d.", in.Customer)
	case string(in.Tenant):
		return contactOut{Line: fmt.Sprintf("%s, by %s", in.Contact.line(), in.Caller)}, nil
	default:
		return contactOut{}, hosttools.HostTenantMismatch()
	}
}

func (c contacts) toolkit() (hosttools.Entry, error) {
	return hosttools.Toolkit{
		Prefix: "hd", Title: "Contacts", Description: "Change how customers are reached.",
		Methods: []hosttools.Method{
			hosttools.NewMethod("set_contact", "Change how a customer is reached.", c.set,
				hosttools.Write(), hosttools.Verb("Change a contact"),
				hosttools.OneOf[Contact]("kind", map[string]Contact{"mail": Mail{}, "phone": Phone{}})),
		},
	}, nil
}
