package hosttools_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/hosttools"
)

func TestNewPage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		rows := rapid.SliceOfN(rapid.Int(), 0, 30).Draw(rt, "rows")
		limit := rapid.IntRange(-3, 30).Draw(rt, "limit")
		kept := slices.Clone(rows)
		page := hosttools.NewPage(rows, limit)
		require.NotNil(rt, page.Items)
		require.Len(rt, page.Items, min(len(rows), max(limit, 0)))
		require.Equal(rt, len(page.Items), page.Count)
		require.Equal(rt, len(rows) > max(limit, 0), page.Truncated)
		require.Equal(rt, kept[:page.Count], append([]int{}, page.Items...))
		require.Equal(rt, kept, rows)
		_ = append(page.Items, -1)
		require.Equal(rt, kept, rows, "what is appended to a page is not written over the rows")
	})
	encoded, err := json.Marshal(hosttools.NewPage[string](nil, 5))
	require.NoError(t, err)
	require.JSONEq(t, `{"items":[],"count":0,"truncated":false}`, string(encoded))
}

func TestRows(t *testing.T) {
	t.Parallel()
	for asked, want := range map[int]int{-1: 20, 0: 20, 1: 1, 20: 20, 100: 100, 101: 100} {
		require.Equal(t, want, hosttools.Rows{MaxRows: asked}.Limit())
	}
	type listIn struct {
		hosttools.Rows
	}
	d := register(t, hosttools.NewMethod("list", "List.", func(_ context.Context, in listIn) (hosttools.Page[int], error) {
		return hosttools.NewPage(make([]int, 200), in.Limit()), nil
	}))
	resolved, err := d.Input.Resolve(nil)
	require.NoError(t, err)
	require.NoError(t, resolved.Validate(map[string]any{"max_rows": 100.0}))
	require.Error(t, resolved.Validate(map[string]any{"max_rows": 101.0}))
	require.Error(t, resolved.Validate(map[string]any{"max_rows": 0.0}))
	instance, err := d.Construct(nil)
	require.NoError(t, err)
	out, err := instance.Call(t.Context(), "list", []byte(`{"max_rows":2}`), nil)
	require.NoError(t, err)
	require.JSONEq(t, `{"items":[0,0],"count":2,"truncated":true}`, string(out))
	var output jsonschema.Schema
	require.NoError(t, json.Unmarshal(d.OutputJSON, &output))
	require.Equal(t, []string{"items", "count", "truncated"}, output.Required)
}

func TestTx(t *testing.T) {
	t.Parallel()
	_, ok := hosttools.Tx(t.Context())
	require.False(t, ok)
	_, ok = hosttools.Tx(hosttools.WithTx(t.Context(), nil))
	require.False(t, ok)
	want := &sql.Tx{}
	ctx := hosttools.WithTx(t.Context(), want)
	tx, ok := hosttools.Tx(ctx)
	require.True(t, ok)
	require.Same(t, want, tx)
}

func TestTransactional(t *testing.T) {
	t.Parallel()
	require.False(t, register(t, echo("say")).Transactional)
	r := registry(map[string]hosttools.Constructor{
		"fs_kit": with(func(k *hosttools.Toolkit) { k.Transactional = true }),
		"fs_one": func() (hosttools.Entry, error) {
			return hosttools.Tool{Transactional: true, Method: echo("fs_one")}, nil
		},
	})
	for _, name := range []string{"fs_say", "fs_one"} {
		d, ok := r.Lookup(name)
		require.True(t, ok)
		require.True(t, d.Transactional)
	}
}
