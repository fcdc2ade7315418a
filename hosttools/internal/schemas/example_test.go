package schemas_test

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/agentstudio/agentstudio/hosttools/internal/schemas"
)

// ListIn is what a model sends to list orders.
type ListIn struct {
	Status  string `json:"status,omitempty" jsonschema:"only orders of this status" enum:"pending,shipped"`
	MaxRows uint8  `json:"max_rows" minimum:"1" maximum:"100" default:"20"`
}

func ExampleInput() {
	s, err := schemas.Input(reflect.TypeFor[ListIn](), schemas.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := json.MarshalIndent(s.Properties, "", "  ")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))
	// Output:
	// {
	//   "max_rows": {
	//     "type": "integer",
	//     "default": 20,
	//     "minimum": 1,
	//     "maximum": 100
	//   },
	//   "status": {
	//     "type": "string",
	//     "description": "only orders of this status",
	//     "enum": [
	//       "pending",
	//       "shipped"
	//     ]
	//   }
	// }
}

func ExampleInput_refused() {
	type CancelIn struct {
		Items []struct {
			Price any `json:"price"`
		} `json:"items"`
	}
	_, err := schemas.Input(reflect.TypeFor[CancelIn](), schemas.Options{})
	fmt.Println(err)
	// Output:
	// CancelIn.items[].price: an untyped value may hold anything; use a concrete Go type, or an interface with a declared union
}
