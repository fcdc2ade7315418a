// Package toolcall measures what it costs to call one typed tool through the
// Studio's door, beside the same tool in other frameworks. All of it is in the
// tests; see the README of this module.
package toolcall
