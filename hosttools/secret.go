package hosttools

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// redacted is what a secret prints as.
const redacted = "***"

// Secret is a config parameter that people can set and never read: a password,
// a token. It is stored encrypted, shown masked, and taken out of results. It
// prints as ***, whatever prints it.
type Secret struct{ reveal func() string }

// NewSecret returns a secret with a value, for a host's own use.
func NewSecret(value string) Secret {
	// A function, because printing goes by reflection, past methods and through
	// pointers, but not into a function.
	return Secret{reveal: func() string { return value }}
}

// Reveal returns the secret's value, "" where none was set.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// secret is [Secret.Reveal], under the name that other parameters have too.
func (s Secret) secret() string { return s.Reveal() }

// Format prints *** for every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// GoString returns ***.
func (s Secret) GoString() string { return redacted }

// String returns ***.
func (s Secret) String() string { return redacted }

// LogValue returns ***.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalJSON returns "***".
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// UnmarshalJSONFrom reads the secret's value from a JSON string.
func (s *Secret) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var value string
	if err := json.UnmarshalDecode(dec, &value); err != nil {
		return err
	}
	*s = NewSecret(value)
	return nil
}

// MarshalText hides the value from XML, YAML, and whatever else asks for text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
