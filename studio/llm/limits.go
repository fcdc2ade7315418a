package llm

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// Lowerer is implemented by models whose provider cannot express every tool
// schema. A model without it is shown the full schema. A model that wraps
// another one must pass this on.
type Lowerer interface {
	// SchemaLimits says what [Lower] must leave out; it never changes.
	SchemaLimits() Limits
}

// Limits is what a provider cannot express in a tool schema. The zero value
// limits nothing.
type Limits struct {
	// NullEnum: null among the values of an enum.
	NullEnum bool
	// NumberEnum: anything but strings among them, null apart.
	NumberEnum bool
	// EmptyEnum: an enum without values, or with the empty string.
	EmptyEnum bool
	// Const: const; an enum of one value takes its place.
	Const bool
	// TypeList: several types. Null is then written as nullable, as in
	// OpenAPI 3.0.
	TypeList bool
	// Ref: $ref and $defs.
	Ref bool
	// OneOf: oneOf.
	OneOf bool
	// AdditionalProperties: additionalProperties, so that maps are described
	// in words, and required names that are not among the properties.
	AdditionalProperties bool
	// Default: default.
	Default bool
	// Examples: examples.
	Examples bool
	// Annotations: deprecated, readOnly and writeOnly.
	Annotations bool
	// Extensions: keywords that begin with "x-".
	Extensions bool
	// Pattern: pattern.
	Pattern bool
	// MultipleOf: multipleOf.
	MultipleOf bool
	// Bounds: minimum and maximum.
	Bounds bool
	// ExclusiveBounds: exclusiveMinimum and exclusiveMaximum.
	ExclusiveBounds bool
	// Lengths: minLength and maxLength.
	Lengths bool
	// Counts: minItems and maxItems.
	Counts bool
	// UniqueItems: uniqueItems.
	UniqueItems bool
	// Formats are the only values of format that are taken; nil takes all.
	Formats []string
	// MaxDepth is how many objects may be nested, the outermost counted; 0 is
	// any number.
	MaxDepth int
}

// OpenAILimits returns the limits of the function tools of the OpenAI wire
// format: "Structured outputs", section "Supported schemas", and the refusal of
// oneOf at the top of a function's parameters. It fits the strict mode as far as
// single keywords go; that mode's rule that every property is required is not a
// matter of keywords, and optional arguments need the other mode.
func OpenAILimits() Limits {
	return Limits{
		OneOf: true, Default: true, Examples: true, Annotations: true, Extensions: true,
		Lengths: true, UniqueItems: true, MaxDepth: 10,
		Formats: []string{"date-time", "time", "date", "email", "hostname", "ipv4", "ipv6", "uuid"},
	}
}

// AnthropicLimits returns the limits of the tools of the Anthropic Messages
// wire format: "Structured outputs", section "JSON Schema limitations", and the
// refusal of oneOf at the top of an input_schema. References are inlined
// because recursive ones are not taken. It fits strict tools, but for maps,
// which need the other mode.
func AnthropicLimits() Limits {
	return Limits{
		Ref: true, OneOf: true, Examples: true, Annotations: true, Extensions: true,
		MultipleOf: true, Bounds: true, ExclusiveBounds: true,
		Lengths: true, Counts: true, UniqueItems: true,
		Formats: []string{"date-time", "time", "date", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"},
	}
}

// GeminiLimits returns the limits of the parameters of a function declaration
// in the Gemini wire format: the Gemini API reference, "Schema", a subset of
// OpenAPI 3.0 with nullable. Its enums are of strings, none of them empty, and
// it takes a default but does not show it to the model.
func GeminiLimits() Limits {
	return Limits{
		NullEnum: true, NumberEnum: true, EmptyEnum: true, Const: true, TypeList: true,
		Ref: true, OneOf: true, AdditionalProperties: true,
		Default: true, Examples: true, Annotations: true, Extensions: true,
		MultipleOf: true, ExclusiveBounds: true, UniqueItems: true,
		Formats: []string{"date-time"},
	}
}

// Parameters returns the JSON text of schema as model is to be shown it: full,
// which is that of the schema itself, unless the model has limits. It is the
// same at every call, so callers keep it.
func Parameters(model Model, schema *jsonschema.Schema, full []byte) ([]byte, error) {
	limited, ok := model.(Lowerer)
	if !ok {
		return full, nil
	}
	text, err := json.Marshal(Lower(schema, limited.SchemaLimits()))
	if err != nil {
		return nil, fmt.Errorf("llm: lower a schema for %s: %w", model.Name(), err)
	}
	return text, nil
}
