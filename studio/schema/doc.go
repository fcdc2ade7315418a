// Package schema compiles a JSON schema once into a small tree that brings
// arguments into the form the schema asks for, and says what does not fit, in
// one walk over a [canon.Value].
//
// # What a schema may say
//
// A subset of JSON Schema 2020-12: type (one, or one and "null"), properties,
// required, additionalProperties, items, enum, const, minimum, maximum,
// exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength,
// pattern, format, minItems, maxItems, uniqueItems, oneOf, default, and the
// annotations title, description, examples, deprecated, readOnly, writeOnly
// and x-…. Everything else is refused when the schema is compiled, so no
// keyword is ever silently without effect.
//
// Without a type, enum or const, every kind fits, null as well; in any other
// case null fits only where it is named.
//
// A oneOf is a choice between object schemas by a discriminator: a property
// that every branch requires, each with its own constant text.
//
// # Where it differs from validation as usual
//
//   - Numbers are exact. An integer is compared digit for digit, and 19.99 is
//     a multiple of 0.01. The extension x-go-integer ("int64" or "uint64")
//     adds the range of that Go type.
//   - Formats are asserted.
//   - A member that is absent and has a default is added, also if required.
//   - A oneOf whose type is ["object","null"] takes null.
package schema
