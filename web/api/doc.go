// Package api is the REST surface for programs. Its callers carry a bearer
// token, ask for tool calls, and can never decide on one.
package api
