package hosttools_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/tenancy"
)

// ticket is what the host stores; its tenant is nobody's argument.
type ticket struct {
	ID     string `json:"id" jsonschema:"id of the ticket"`
	Status string `json:"status" jsonschema:"state of the ticket" enum:"open,closed"`
}

// desk is the host's own data: tickets by tenant and id.
type desk map[string]map[string]ticket

// tickets is one instance of the toolkit.
type tickets struct {
	desk   desk
	config ticketsConfig
}

// ticketsConfig is the form that people fill in when they give the toolkit to
// an agent.
type ticketsConfig struct {
	Region string           `json:"region,omitempty" jsonschema:"where the desk is" enum:"eu,us" default:"\"eu\""`
	Token  hosttools.Secret `json:"token,omitzero" jsonschema:"how to sign in at the desk"`
}

type listTicketsIn struct {
	Tenant         hosttools.TenantID `json:"-"` // filled by the server
	hosttools.Rows                    // max_rows
}

func (t *tickets) list(_ context.Context, in listTicketsIn) (hosttools.Page[ticket], error) {
	mine := t.desk[string(in.Tenant)]
	rows := make([]ticket, 0, len(mine))
	for _, id := range slices.Sorted(maps.Keys(mine)) {
		rows = append(rows, mine[id])
	}
	return hosttools.NewPage(rows, in.Limit()), nil
}

type closeTicketIn struct {
	Tenant hosttools.TenantID `json:"-"`
	ID     string             `json:"id" jsonschema:"id of the ticket, such as T-1" pattern:"^T-[0-9]+$"`
	Reason string             `json:"reason" jsonschema:"why, in a sentence" minLength:"1" maxLength:"200"`
}

func (t *tickets) close(_ context.Context, in closeTicketIn) (ticket, error) {
	found, ok := t.desk[string(in.Tenant)][in.ID]
	if !ok {
		return ticket{}, hosttools.Errorf("not_found", "There is no ticket %s.", in.ID)
	}
	found.Status = "closed"
	t.desk[string(in.Tenant)][in.ID] = found
	return found, nil
}

// open is where a real toolkit would dial, with the token.
func (t *tickets) open(context.Context) error {
	fmt.Printf("open in %s, token %v of %d characters\n", t.config.Region, t.config.Token, len(t.config.Token.Reveal()))
	return nil
}

// newTickets returns the toolkit's constructor. It acquires nothing: that is
// for Open.
func newTickets(desk desk) hosttools.Constructor {
	return func() (hosttools.Entry, error) {
		t := &tickets{desk: desk, config: ticketsConfig{Region: "eu"}}
		return hosttools.Toolkit{
			Prefix:      "hd",
			Title:       "Tickets",
			Description: "Look at support tickets and close them.",
			Version:     "1",
			Config:      &t.config,
			Open:        t.open,
			Methods: []hosttools.Method{
				hosttools.NewMethod("list_tickets", "List the tickets, sorted by id.", t.list, hosttools.Read()),
				hosttools.NewMethod("close_ticket", "Close a ticket that is solved.", t.close,
					hosttools.Write(), hosttools.Consequential(), hosttools.Verb("Close a ticket")),
			},
		}, nil
	}
}

// A complete first toolkit, and two calls of it as the Studio makes them: with
// the caller's scope, arguments that fit the schema, and, for the write, after
// a person approved exactly this call.
func ExampleNewRegistry() {
	data := desk{
		"acme":   {"T-1": {"T-1", "open"}, "T-2": {"T-2", "open"}},
		"globex": {"T-7": {"T-7", "open"}},
	}
	registry := hosttools.NewRegistry(hosttools.Host{
		Prefix: "hd_",
		Tools:  map[string]hosttools.Constructor{"hd_tickets": newTickets(data)},
	})
	for _, refused := range registry.Rejections() {
		fmt.Println(refused)
	}
	closing, _ := registry.Lookup("hd_close_ticket")
	fmt.Println(closing.Verb, closing.Access, closing.TenantBound)

	instance, err := closing.Construct([]byte(`{"region":"us","token":"s3cret"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := tenancy.WithScope(context.Background(), tenancy.Scope{User: "ada", Tenant: "acme"})
	fmt.Println(instance.Open(context.Background()))
	fmt.Println(instance.Open(ctx))
	call := func(method, args string) {
		result, err := instance.Call(ctx, method, []byte(args), map[string]string{"tenant": "acme"})
		fmt.Println(strings.TrimSpace(fmt.Sprintln(string(result), err)))
	}
	call("close_ticket", `{"id":"T-2","reason":"It works again."}`)
	call("list_tickets", `{"max_rows":1}`)
	call("close_ticket", `{"id":"T-7","reason":"It is another tenant's."}`)
	// Output:
	// Close a ticket write true
	// tool_scope_unavailable: This tool works for one tenant, and it was called outside of any request.
	// open in us, token *** of 6 characters
	// <nil>
	// {"id":"T-2","status":"closed"} <nil>
	// {"items":[{"id":"T-1","status":"open"}],"count":1,"truncated":true} <nil>
	// not_found: There is no ticket T-7.
}

// The same registry from a file, with the host's defaults and a mistake.
func ExampleParseHost() {
	const file = `prefix: hd_
tools:
  hd_tickets:
    constructor: tickets
    config: {regoin: us}
`
	host, err := hosttools.ParseHost("toolkits.yaml", []byte(file), map[string]hosttools.Constructor{"tickets": newTickets(nil)})
	if err != nil {
		fmt.Println(err)
		return
	}
	host.Logger = quiet()
	for _, refused := range hosttools.NewRegistry(host).Rejections() {
		fmt.Println(refused.Slug)
		fmt.Println(refused.Reason)
	}
	// Output:
	// hd_tickets
	// toolkits.yaml:3: its Config: there is a default for "regoin", which is no parameter
}

// shape is one of several structs.
type shape interface{ area() float64 }

type circle struct {
	Radius float64 `json:"radius"`
}

type square struct {
	Side float64 `json:"side"`
}

func (c circle) area() float64 { return 3 * c.Radius * c.Radius }
func (s square) area() float64 { return s.Side * s.Side }

// A field that holds one of several structs, told apart by the member "kind".
func ExampleOneOf() {
	type in struct {
		Shape shape `json:"shape"`
	}
	type out struct {
		Area float64 `json:"area"`
	}
	measure := hosttools.NewMethod("measure", "Measure a shape.", func(_ context.Context, in in) (out, error) {
		return out{in.Shape.area()}, nil
	}, hosttools.Read(), hosttools.OneOf[shape]("kind", map[string]shape{"circle": circle{}, "square": square{}}))

	registry := hosttools.MustRegistry(hosttools.Host{Prefix: "geo_", Tools: map[string]hosttools.Constructor{
		"geo_shapes": func() (hosttools.Entry, error) {
			return hosttools.Toolkit{Prefix: "geo", Methods: []hosttools.Method{measure}}, nil
		},
	}})
	tool, _ := registry.Lookup("geo_measure")
	instance, err := tool.Construct(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := instance.Call(context.Background(), tool.Method, []byte(`{"shape":{"kind":"square","side":3}}`), nil)
	fmt.Println(string(result), err)
	fmt.Println(tool.Decodes([]byte(`{"shape":{"kind":"cube","side":3}}`)) != nil)
	// Output:
	// {"area":9} <nil>
	// true
}
