package hosttools_test

import (
	"context"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
)

type greetIn struct {
	Tenant hosttools.TenantID `json:"-"` // filled by the server
	Name   string             `json:"name" jsonschema:"whom to greet" minLength:"1"`
}

type greetOut struct {
	Text string `json:"text" jsonschema:"the greeting"`
}

func greet(_ context.Context, in greetIn) (greetOut, error) {
	return greetOut{Text: fmt.Sprintf("Hello %s, from %s.", in.Name, in.Tenant)}, nil
}

func newGreetings() (hosttools.Entry, error) {
	return hosttools.Toolkit{
		Prefix: "hi",
		Title:  "Greetings",
		Methods: []hosttools.Method{
			hosttools.NewMethod("greet", "Greet somebody by name.", greet, hosttools.Read()),
		},
	}, nil
}

// A registry of one toolkit, and a call as the Studio makes it once every gate
// has let it through.
func ExampleNewRegistry() {
	registry := hosttools.NewRegistry(hosttools.Host{
		Prefix: "hi_",
		Tools:  map[string]hosttools.Constructor{"hi_greetings": newGreetings},
	})
	for _, rejected := range registry.Rejections() {
		fmt.Println(rejected.Slug, rejected.Reason)
	}
	greeting, _ := registry.Lookup("hi_greet")
	fmt.Println(greeting.Access, greeting.TenantBound)
	fmt.Println(string(greeting.InputJSON))

	instance, err := greeting.Construct()
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := instance.Call(context.Background(), greeting.Method,
		[]byte(`{"name":"Ada"}`), map[string]string{"tenant": "acme"})
	fmt.Println(string(result), err)
	// Output:
	// read true
	// {"type":"object","properties":{"name":{"type":"string","description":"whom to greet","minLength":1}},"required":["name"],"additionalProperties":false}
	// {"text":"Hello Ada, from acme."} <nil>
}
