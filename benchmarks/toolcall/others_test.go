package toolcall_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/cloudwego/eino/components/tool/utils"
	mcpgoclient "github.com/mark3labs/mcp-go/client"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpgoserver "github.com/mark3labs/mcp-go/server"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	adk "google.golang.org/adk/tool"
	"google.golang.org/adk/tool/functiontool"
	"google.golang.org/adk/tool/toolconfirmation"
)

const (
	toolName        = "list_orders"
	toolDescription = "List the orders of one status."
)

// function is a typed tool as a developer writes it.
type function[In, Out any] func(context.Context, In) (Out, error)

// call runs a tool of some framework: a model's JSON in, the result's JSON out.
type call func(ctx context.Context, arguments string) ([]byte, error)

// direct decodes, calls and encodes, which is the least that anyone must do.
func direct[In, Out any](fn function[In, Out]) call {
	return func(ctx context.Context, arguments string) ([]byte, error) {
		var in In
		if err := json.Unmarshal([]byte(arguments), &in); err != nil {
			return nil, err
		}
		out, err := fn(ctx, in)
		if err != nil {
			return nil, err
		}
		return json.Marshal(out)
	}
}

func viaEino[In, Out any](tb testing.TB, fn function[In, Out]) call {
	tb.Helper()
	tool, err := utils.InferTool(toolName, toolDescription, utils.InvokeFunc[In, Out](fn))
	require.NoError(tb, err)
	return func(ctx context.Context, arguments string) ([]byte, error) {
		out, err := tool.InvokableRun(ctx, arguments)
		return []byte(out), err
	}
}

// adkContext is the part of a tool's context that adk asks for.
type adkContext struct{ adk.Context }

func (adkContext) ToolConfirmation() *toolconfirmation.ToolConfirmation { return nil }

// viaADK decodes and encodes around the tool, which takes and returns maps.
func viaADK[In, Out any](tb testing.TB, fn function[In, Out]) call {
	tb.Helper()
	tool, err := functiontool.New(functiontool.Config{Name: toolName, Description: toolDescription},
		func(_ adk.Context, in In) (Out, error) { return fn(tb.Context(), in) })
	require.NoError(tb, err)
	runnable, ok := tool.(interface {
		Run(ctx adk.Context, args any) (map[string]any, error)
	})
	require.True(tb, ok)
	return func(_ context.Context, arguments string) ([]byte, error) {
		var in map[string]any
		if err := json.Unmarshal([]byte(arguments), &in); err != nil {
			return nil, err
		}
		out, err := runnable.Run(adkContext{}, in)
		if err != nil {
			return nil, err
		}
		return json.Marshal(out)
	}
}

var errNoText = errors.New("the answer is an error, or has no text")

func viaMCPGo[In, Out any](tb testing.TB, fn function[In, Out]) call {
	tb.Helper()
	server := mcpgoserver.NewMCPServer("benchmark", "1")
	server.AddTool(
		mcpgo.NewTool(toolName, mcpgo.WithDescription(toolDescription), mcpgo.WithInputSchema[In](), mcpgo.WithOutputSchema[Out]()),
		mcpgo.NewStructuredToolHandler(func(ctx context.Context, _ mcpgo.CallToolRequest, in In) (Out, error) {
			return fn(ctx, in)
		}))
	client, err := mcpgoclient.NewInProcessClient(server)
	require.NoError(tb, err)
	require.NoError(tb, client.Start(tb.Context()))
	tb.Cleanup(func() { require.NoError(tb, client.Close()) })
	_, err = client.Initialize(tb.Context(), mcpgo.InitializeRequest{Params: mcpgo.InitializeParams{
		ProtocolVersion: mcpgo.LATEST_PROTOCOL_VERSION, ClientInfo: mcpgo.Implementation{Name: "benchmark", Version: "1"},
	}})
	require.NoError(tb, err)
	return func(ctx context.Context, arguments string) ([]byte, error) {
		result, err := client.CallTool(ctx, mcpgo.CallToolRequest{Params: mcpgo.CallToolParams{
			Name: toolName, Arguments: json.RawMessage(arguments),
		}})
		if err != nil {
			return nil, err
		}
		if text, ok := mcpgo.AsTextContent(result.Content[0]); ok && !result.IsError {
			return []byte(text.Text), nil
		}
		return nil, errNoText
	}
}

func viaGoSDK[In, Out any](tb testing.TB, fn function[In, Out]) call {
	tb.Helper()
	server := gosdk.NewServer(&gosdk.Implementation{Name: "benchmark", Version: "1"}, nil)
	gosdk.AddTool(server, &gosdk.Tool{Name: toolName, Description: toolDescription},
		func(ctx context.Context, _ *gosdk.CallToolRequest, in In) (*gosdk.CallToolResult, Out, error) {
			out, err := fn(ctx, in)
			return nil, out, err
		})
	here, there := gosdk.NewInMemoryTransports()
	_, err := server.Connect(tb.Context(), there, nil)
	require.NoError(tb, err)
	session, err := gosdk.NewClient(&gosdk.Implementation{Name: "benchmark", Version: "1"}, nil).Connect(tb.Context(), here, nil)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, session.Close()) })
	return func(ctx context.Context, arguments string) ([]byte, error) {
		result, err := session.CallTool(ctx, &gosdk.CallToolParams{Name: toolName, Arguments: json.RawMessage(arguments)})
		if err != nil {
			return nil, err
		}
		if text, ok := result.Content[0].(*gosdk.TextContent); ok && !result.IsError {
			return []byte(text.Text), nil
		}
		return nil, errNoText
	}
}
