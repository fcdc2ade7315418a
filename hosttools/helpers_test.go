package hosttools_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/tenancy"
)

type textIn struct {
	Text string `json:"text" jsonschema:"any text"`
}

type textOut struct {
	Text string `json:"text"`
}

// echo is a method of no consequence.
func echo(name string, options ...hosttools.MethodOption) hosttools.Method {
	return hosttools.NewMethod(name, "Say it again.", func(_ context.Context, in textIn) (textOut, error) {
		return textOut(in), nil
	}, options...)
}

// method makes a method of types that matter, and a function that does not.
func method[In, Out any](name string) hosttools.Method {
	return hosttools.NewMethod(name, "Do it.", func(context.Context, In) (out Out, err error) { return out, nil })
}

// toolkit constructs a toolkit of the prefix "fs".
func toolkit(methods ...hosttools.Method) hosttools.Constructor {
	return func() (hosttools.Entry, error) {
		return hosttools.Toolkit{Prefix: "fs", Title: "Kit", Methods: methods}, nil
	}
}

func tool(m hosttools.Method) hosttools.Constructor {
	return func() (hosttools.Entry, error) { return hosttools.Tool{Title: "Tool", Method: m}, nil }
}

func registry(tools map[string]hosttools.Constructor) *hosttools.Registry {
	return hosttools.NewRegistry(hosttools.Host{Prefix: "fs_", Tools: tools})
}

// register registers one toolkit and returns its only method.
func register(t *testing.T, m hosttools.Method) *hosttools.Descriptor {
	t.Helper()
	r := registry(map[string]hosttools.Constructor{"fs_kit": toolkit(m)})
	require.Empty(t, r.Rejections())
	group, ok := r.Group("fs_kit")
	require.True(t, ok)
	require.Len(t, group.Methods, 1)
	return group.Methods[0]
}

// rejection registers the entry fs_kit and returns the sentence that refuses it.
func rejection(t *testing.T, build hosttools.Constructor) string {
	t.Helper()
	r := registry(map[string]hosttools.Constructor{"fs_kit": build})
	require.Empty(t, r.Groups())
	require.Len(t, r.Rejections(), 1)
	require.Equal(t, "fs_kit", r.Rejections()[0].Slug)
	return r.Rejections()[0].Reason
}

// configured constructs a toolkit with a config, made anew each time.
func configured[C any]() hosttools.Constructor {
	return func() (hosttools.Entry, error) {
		return hosttools.Toolkit{Prefix: "fs", Config: new(C), Methods: []hosttools.Method{echo("say")}}, nil
	}
}

// scoped returns a context with a caller of the tenant acme.
func scoped(t *testing.T) context.Context {
	t.Helper()
	return tenancy.WithScope(t.Context(), tenancy.Scope{User: "ada", Tenant: "acme"})
}

// describe encodes everything that a registry says of its entries.
func describe(r *hosttools.Registry) string {
	said, err := json.Marshal(struct {
		Groups     []hosttools.Group
		Rejections []hosttools.Rejection
	}{r.Groups(), r.Rejections()})
	if err != nil {
		return err.Error()
	}
	return string(said)
}
