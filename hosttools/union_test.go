package hosttools_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

type (
	payment interface{ pays() }
	route   interface{ String() string }

	card struct {
		Number int64 `json:"number"`
		Via    route `json:"via,omitzero"`
	}
	cash   struct{}
	direct struct {
		Note string `json:"note,omitempty"`
	}
	agency struct {
		Name string `json:"name"`
	}
	// stamp could be a route, and is none of its variants.
	stamp string

	payIn struct {
		Pay  payment   `json:"pay,omitzero"`
		More []payment `json:"more,omitempty"`
	}
	payOut struct {
		Pay    payment            `json:"pay,omitzero"`
		More   []payment          `json:"more,omitempty"`
		ByName map[string]payment `json:"by_name,omitempty"`
		Card   *card              `json:"card,omitempty"`
		Stamp  stamp              `json:"stamp,omitempty"`
	}
	bad struct{ Number int }
)

func (card) pays()             {}
func (cash) pays()             {}
func (bad) pays()              {}
func (direct) String() string  { return "direct" }
func (agency) String() string  { return "agency" }
func (s stamp) String() string { return string(s) }

func payments() hosttools.MethodOption {
	return hosttools.OneOf[payment]("kind", map[string]payment{"card": card{}, "cash": cash{}})
}

func routes() hosttools.MethodOption {
	return hosttools.OneOf[route]("by", map[string]route{"direct": direct{}, "agency": agency{}})
}

// paying registers a method with both unions, and returns a call of it.
func paying(t *testing.T, pay func(payIn) payOut) (*hosttools.Descriptor, func(args string) (string, error)) {
	t.Helper()
	d := register(t, hosttools.NewMethod("pay", "Pay.", func(_ context.Context, in payIn) (payOut, error) {
		return pay(in), nil
	}, payments(), routes()))
	instance, err := d.Construct(nil)
	require.NoError(t, err)
	return d, func(args string) (string, error) {
		out, err := instance.Call(t.Context(), "pay", []byte(args), nil)
		return string(out), err
	}
}

func TestOneOf(t *testing.T) {
	t.Parallel()
	var got payIn
	d, call := paying(t, func(in payIn) payOut {
		got = in
		return payOut{Pay: in.Pay, More: in.More}
	})
	for args, want := range map[string]payIn{
		`{}`:                      {},
		`{"pay":null}`:            {},
		`{"pay":{"kind":"cash"}}`: {Pay: cash{}},
		`{"pay":{"kind":"card","number":9007199254740993}}`:        {Pay: card{Number: 9007199254740993}},
		`{"pay":{"number":1,"via":{"by":"direct"},"kind":"card"}}`: {Pay: card{Number: 1, Via: direct{}}},
		`{"more":[{"kind":"cash"},{"kind":"card","number":1,"via":{"by":"agency","name":"A"}}]}`: {
			More: []payment{cash{}, card{Number: 1, Via: agency{Name: "A"}}},
		},
	} {
		require.NoError(t, d.Decodes([]byte(args)), args)
		out, err := call(args)
		require.NoError(t, err, args)
		require.Equal(t, want, got, args)
		again, err := call(out)
		require.NoError(t, err, "what is written can be read")
		require.Equal(t, out, again)
		require.Equal(t, want, got, args)
	}
	out, err := call(`{"pay":{"number":1,"via":{"note":"n","by":"direct"},"kind":"card"},"more":[{"kind":"cash"}]}`)
	require.NoError(t, err)
	require.Equal(t, `{"pay":{"kind":"card","number":1,"via":{"by":"direct","note":"n"}},"more":[{"kind":"cash"}]}`, out)
}

func TestOneOfRefuses(t *testing.T) {
	t.Parallel()
	d, call := paying(t, func(payIn) payOut { return payOut{} })
	for _, args := range []string{
		`{"pay":{}}`, `{"pay":"cash"}`, `{"pay":[]}`, `{"pay":{"kind":null}}`, `{"pay":{"kind":1}}`, `{"pay":{"kind":"coin"}}`,
		`{"pay":{"Kind":"cash"}}`, `{"pay":{"kind":"Cash"}}`, `{"pay":{"kind":"cash","kind":"card"}}`,
		`{"pay":{"kind":"cash","number":1}}`, `{"pay":{"kind":"card","number":"1"}}`, `{"pay":{"kind":"card","via":{"by":"cash"}}}`,
		`{"pay":{"kind":"card","via":{"kind":"cash"}}}`, `{"more":[{"kind":"cash"},{}]}`,
	} {
		var bad *hosttools.ArgumentsError
		require.ErrorAs(t, d.Decodes([]byte(args)), &bad, args)
		_, err := call(args)
		require.ErrorAs(t, err, &bad, args)
	}
}

func TestOneOfInResults(t *testing.T) {
	t.Parallel()
	for want, out := range map[string]payOut{
		`{"by_name":{"a":{"kind":"cash"},"b":{"kind":"card","number":1}}}`: {
			ByName: map[string]payment{"b": card{Number: 1}, "a": cash{}},
		},
		`{"more":[null,{"kind":"cash"}]}`:             {More: []payment{nil, cash{}}},
		`{"card":{"number":1,"via":{"by":"direct"}}}`: {Card: &card{Number: 1, Via: direct{}}},
		`{"stamp":"s"}`: {Stamp: "s"},
	} {
		_, call := paying(t, func(payIn) payOut { return out })
		got, err := call(`{}`)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, out := range []payOut{{Pay: &card{}}, {Pay: bad{}}, {More: []payment{(*cash)(nil)}}, {Pay: card{Via: stamp("s")}}} {
		_, call := paying(t, func(payIn) payOut { return out })
		_, err := call(`{}`)
		require.ErrorContains(t, err, "is none of the declared variants")
	}
}

func TestOneOfFromAnExecutor(t *testing.T) {
	t.Parallel()
	const result = `{"pay":{"kind":"card","number":1,"via":{"by":"direct"}}}`
	d := register(t, hosttools.NewMethod[payIn, payOut]("pay", "Pay.", nil, hosttools.RunBy(&far{result: result}), payments(), routes()))
	instance, err := d.Construct(nil)
	require.NoError(t, err)
	out, err := instance.Call(t.Context(), "pay", []byte(`{}`), nil)
	require.NoError(t, err)
	require.Equal(t, result, string(out))
}

func TestRefusedUnions(t *testing.T) {
	t.Parallel()
	type scopedVariant struct {
		card
		Tenant hosttools.TenantID `json:"-"`
	}
	pay := func(options ...hosttools.MethodOption) hosttools.Constructor {
		return toolkit(hosttools.NewMethod("pay", "Pay.", func(context.Context, payIn) (textOut, error) {
			return textOut{}, nil
		}, append(options, routes())...))
	}
	one := func(name string, variant payment) hosttools.MethodOption {
		return hosttools.OneOf[payment]("kind", map[string]payment{name: variant})
	}
	for want, build := range map[string]hosttools.Constructor{
		"payment is an interface without a declared union":         pay(),
		`the variant "card" must be a struct, not *`:               pay(one("card", &card{})),
		`the variant "card" must be a struct, not <nil>`:           pay(one("card", nil)),
		"a variant needs a name":                                   pay(one("", cash{})),
		"has no variants; name at least one struct":                pay(hosttools.OneOf[payment]("kind", nil)),
		"is declared twice; join the declarations":                 pay(payments(), payments()),
		"discriminator: a property needs a name":                   pay(hosttools.OneOf[payment]("", map[string]payment{"cash": cash{}})),
		"must be an interface with at least one method":            pay(hosttools.OneOf[any]("kind", map[string]any{"cash": cash{}})),
		"hosttools_test.card must be an interface":                 pay(hosttools.OneOf[card]("kind", map[string]card{"card": {}})),
		`clashes with the discriminator "NUMBER" of the union`:     pay(hosttools.OneOf[payment]("NUMBER", map[string]payment{"card": card{}})),
		`the variants "a" and "b" are both hosttools_test.cash`:    pay(hosttools.OneOf[payment]("kind", map[string]payment{"a": cash{}, "b": cash{}})),
		`the variant "card" holds a server-managed type; only the`: pay(one("card", scopedVariant{})),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, rejection(t, build), want)
		})
	}
}
