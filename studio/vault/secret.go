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

// Format prints *** for every verb.
func (k MasterKey) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// GoString returns ***.
func (k MasterKey) GoString() string { return redacted }

// String returns ***.
func (k MasterKey) String() string { return redacted }

// LogValue returns ***.
func (k MasterKey) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText returns ***, for JSON and other encodings.
func (k MasterKey) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// Format prints *** for every verb.
func (s Sealer) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// GoString returns ***.
func (s Sealer) GoString() string { return redacted }

// String returns ***.
func (s Sealer) String() string { return redacted }

// LogValue returns ***.
func (s Sealer) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText returns ***, for JSON and other encodings.
func (s Sealer) MarshalText() ([]byte, error) { return []byte(redacted), nil }
