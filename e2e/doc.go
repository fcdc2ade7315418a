// Package e2e tests Agent Studio from outside: the real program in a process
// of its own, over HTTP and in a real browser. It holds tests and what they
// share, and nothing else imports it.
package e2e
