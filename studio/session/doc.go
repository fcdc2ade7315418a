// Package session holds conversations: sessions, and their append-only event
// log. Everything a person sees of a turn is an event of the log, so a page
// that reconnects replays it and misses nothing.
package session
