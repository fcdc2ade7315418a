// Package schemas builds JSON schemas from the Go types of inputs, results and
// configurations, and reads the schemas that a host wrote itself.
//
// The schema of a type says exactly what the strict decoder of this project
// (go-json-experiment/json with unknown members refused) takes, narrowed by the
// struct tags of the type. The walk is our own, because a schema that says more
// than the decoder takes makes calls fail after they were approved, and one
// that says less hides arguments from the person who approves. What a schema
// cannot say, such as an untyped value, is refused with a sentence that names
// the place and what to do.
//
// Fields may carry these tags: jsonschema (the description), enum, minimum,
// maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength,
// maxLength, minItems, maxItems, pattern, format, default, examples,
// deprecated.
package schemas
