// Package auth binds the scope of a request, refuses what may not go on, and
// signs people in and out of the standalone server.
package auth
