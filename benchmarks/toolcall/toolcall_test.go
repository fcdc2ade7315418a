package toolcall_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/benchmarks/orders"
)

// inMemory is how many orders the listed tool reads from.
const inMemory = 100

const listArguments = `{"status":"pending"}`

// contestant is one way to call the tool.
type contestant struct {
	name string
	call call
}

// listing returns every way to list 20 orders by status.
func listing(tb testing.TB) []contestant {
	tb.Helper()
	memory := orders.NewMemory(inMemory)
	return []contestant{
		{"json", direct(memory.List)},
		{"eino", viaEino(tb, memory.List)},
		{"adk", viaADK(tb, memory.List)},
		{"mcp-go", viaMCPGo(tb, memory.List)},
		{"go-sdk", viaGoSDK(tb, memory.List)},
		{"studio", viaDoor(tb, bound(memory))},
	}
}

type empty struct{}

func nothing(context.Context, empty) (empty, error) { return empty{}, nil }

// idling returns every way to call a tool that does nothing.
func idling(tb testing.TB) []contestant {
	tb.Helper()
	return []contestant{
		{"json", direct(nothing)},
		{"eino", viaEino(tb, nothing)},
		{"adk", viaADK(tb, nothing)},
		{"mcp-go", viaMCPGo(tb, nothing)},
		{"go-sdk", viaGoSDK(tb, nothing)},
		{"studio", viaDoor(tb, func(context.Context, boundEmpty) (empty, error) { return empty{}, nil })},
	}
}

// TestSameOrders holds the comparison fair: every way returns the same orders.
func TestSameOrders(t *testing.T) {
	t.Parallel()
	want, err := orders.NewMemory(inMemory).List(t.Context(), orders.Query{Status: orders.Pending})
	require.NoError(t, err)
	require.Len(t, want.Orders, orders.Limit)
	for _, c := range listing(t) {
		result, err := c.call(scoped(t.Context()), listArguments)
		require.NoError(t, err, c.name)
		var got orders.Page
		require.NoError(t, json.Unmarshal(result, &got), c.name)
		require.Equal(t, want, got, c.name)
	}
}

// TestSameNothing holds the comparison fair: every way returns an empty object.
func TestSameNothing(t *testing.T) {
	t.Parallel()
	for _, c := range idling(t) {
		result, err := c.call(scoped(t.Context()), `{}`)
		require.NoError(t, err, c.name)
		require.JSONEq(t, `{}`, string(result), c.name)
	}
}

// BenchmarkListOrders lists 20 of 100 orders in memory.
func BenchmarkListOrders(b *testing.B) {
	memory := orders.NewMemory(inMemory)
	b.Run("function", func(b *testing.B) { measureFunction(b, memory.List) })
	for _, c := range listing(b) {
		b.Run(c.name, func(b *testing.B) { measure(b, c.call, listArguments) })
	}
}

// BenchmarkNothing calls a tool that does nothing: all of it is overhead.
func BenchmarkNothing(b *testing.B) {
	for _, c := range idling(b) {
		b.Run(c.name, func(b *testing.B) { measure(b, c.call, `{}`) })
	}
}

// measureFunction calls the function as a value, so that it is not inlined and
// its result is on the heap as everywhere else.
func measureFunction(b *testing.B, fn function[orders.Query, orders.Page]) {
	b.Helper()
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fn(ctx, orders.Query{Status: orders.Pending}); err != nil {
			b.Fatal(err)
		}
	}
}

func measure(b *testing.B, call call, arguments string) {
	b.Helper()
	ctx := scoped(b.Context())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := call(ctx, arguments); err != nil {
			b.Fatal(err)
		}
	}
}
