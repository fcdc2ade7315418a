package vault

import (
	"fmt"
	"io"
	"log/slog"
)

// redacted is what a secret prints as.
const redacted = "***"

// secret gives out key material when it is called. It is a function because
// printing goes by reflection, past the methods of unexported fields and
// through pointers, but not into a function.
type secret func() [KeySize]byte

// hide returns the secret that gives out key.
func hide(key [KeySize]byte) secret {
	return func() [KeySize]byte { return key }
}

// stars makes the type that embeds it print as ***, whatever prints it.
type stars struct{}

// Format prints *** for every verb.
func (stars) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// GoString returns ***.
func (stars) GoString() string { return redacted }

// String returns ***.
func (stars) String() string { return redacted }

// LogValue returns ***.
func (stars) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText returns ***, for JSON and other encodings.
func (stars) MarshalText() ([]byte, error) { return []byte(redacted), nil }
