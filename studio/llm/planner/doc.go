// Package planner is the offline planner: a deterministic set of rules that
// stands in for a language model when none is configured. It is no language
// model and does not pretend to be one; its Name is "offline-planner", and the
// same request always gets the same answer.
//
// It knows no tool by name. What a tool does is read from the words of its
// name, its description and its schema, and matched with the newest user
// message through English stems and a small table of general verbs (see
// lexicon.go). One request is handled in these stages, a file each:
//
//   - conversation.go cuts the messages into turns,
//   - token.go reads a text into words, numbers, ids, addresses and quotes,
//   - clause.go cuts a sentence into the things asked, and tells a request from
//     a question, a condition and a negation,
//   - intent.go finds the tool that fits a clause,
//   - extract*.go fills the tool's parameters from the words of the clause,
//   - answer.go takes a message as the answer to an earlier question,
//   - ask.go asks for what is missing,
//   - reply.go and render.go put tool results into plain words.
//
// Three rules hold throughout. A tool that writes is called only when its verb
// was asked for, never for a question, a condition or a negation. A value is
// never invented: what the words do not hold is asked for. And the reply claims
// nothing that no tool result shows.
package planner
