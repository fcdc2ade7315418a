// Package toolexec is the one door for tool calls: chat, the REST execute
// route and everything else that runs a tool comes through here.
//
// The door has two halves, because a person may decide between them, days
// later and in another process. [Preparer] has no effect and constructs
// nothing: resolve, gate, permit, access, arguments, fill. [Runner] starts
// from the stored bytes: rejudge, burn, open, run, cap, record. Each half is
// one ordered slice with a file per stage, and a test asserts the order.
//
// A refusal at any stage has no effect, and is one [models.Error].
package toolexec
