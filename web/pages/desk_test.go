package pages

import (
	"context"
	"errors"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/tenancy"
)

type deskLimit struct {
	Country string `json:"country"`
	Amount  int64  `json:"amount"`
}

// deskSettings has a parameter of every kind.
type deskSettings struct {
	Region   string                `json:"region" jsonschema:"Where the <i>desk</i> is." enum:"eu,us"`
	MaxRows  int64                 `json:"max_rows,omitempty" jsonschema:"The most rows." minimum:"1" default:"20"`
	Share    *float64              `json:"share,omitempty" minimum:"0" maximum:"1" multipleOf:"0.05"`
	Greeting string                `json:"greeting,omitempty" jsonschema:"Begins every mail." maxLength:"2000"`
	Sender   string                `json:"sender,omitempty" maxLength:"40"`
	Notify   *bool                 `json:"notify,omitempty"`
	Strict   bool                  `json:"strict" default:"true"`
	Tags     []string              `json:"tags,omitempty" maxItems:"3"`
	Limits   []deskLimit           `json:"limits,omitempty"`
	Since    *time.Time            `json:"since,omitempty"`
	Opens    string                `json:"opens,omitempty" format:"date"`
	APIKey   hosttools.Secret      `json:"api_key,omitempty" jsonschema:"Key of the desk."`
	Mail     hosttools.App[string] `json:"mail" key:"mail"`
}

// NewDesk constructs a toolkit that is set up with [deskSettings].
func NewDesk() (hosttools.Entry, error) {
	settings := &deskSettings{}
	look := func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }
	return hosttools.Toolkit{
		Prefix: "hd", Title: "Desk", Description: "Look at the desk.", Config: settings, TenantBound: true,
		Methods: []hosttools.Method{hosttools.NewMethod("look", "Look at the desk.", look, hosttools.Read())},
		Options: map[string]hosttools.OptionsFunc{
			"sender": func(ctx context.Context) ([]hosttools.Option, error) {
				scope, err := tenancy.Gate(ctx)
				return []hosttools.Option{{Value: "<script>", Label: scope.Tenant + " <b>"}, {Value: settings.Region}}, err
			},
			"tags": func(context.Context) ([]hosttools.Option, error) {
				return nil, errors.New("hunter2 is what the desk said")
			},
			"greeting": func(context.Context) ([]hosttools.Option, error) { return nil, nil },
		},
	}, nil
}
