// Package llm is the interface between the studio and language models.
//
// It holds no provider: every provider is a sub-package that implements Model,
// and everything that talks to a model (the turn loop, reviews, rule matching)
// sees only the types of this package. Provider output of any shape is reduced
// to four kinds of events: text, reasoning, a complete tool call, and the end.
package llm
