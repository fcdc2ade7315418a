// Package web mounts a Studio in a host's echo server. It adds routes under
// one prefix, with their own middleware and their own answers to errors; the
// host's routes, error handler and middleware stay as they are.
package web
