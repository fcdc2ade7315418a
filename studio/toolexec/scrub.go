package toolexec

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// scrubbed is what a host's code returned, for the log: its words without the
// secrets that the code was given.
type scrubbed struct {
	words string
	err   error
}

func (s scrubbed) Error() string { return s.words }

func (s scrubbed) Unwrap() error { return s.err }

// scrub returns an error without secrets in its words. What it is, stays.
func scrub(err error, secrets []string) error {
	if err == nil || len(secrets) == 0 {
		return err
	}
	text, _ := withoutKnown([]byte(err.Error()), secrets)
	return scrubbed{words: string(text), err: err}
}

// secretsOf returns the secret values of a whole configuration.
func secretsOf(setting Setting, config []byte) []string {
	var values map[string]jsontext.Value
	if len(setting.Secrets) == 0 || json.Unmarshal(config, &values) != nil {
		return nil
	}
	var secrets []string
	for name := range setting.Secrets {
		var secret string
		if json.Unmarshal(values[name], &secret) == nil {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}
