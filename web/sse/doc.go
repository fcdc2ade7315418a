// Package sse writes server-sent events: framed as the standard wants them,
// flushed one by one, each within a deadline, with heartbeats so that proxies
// and browsers notice a broken connection.
package sse
