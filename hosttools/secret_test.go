package hosttools_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"testing"
	"text/template"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/agentstudio/agentstudio/hosttools"
)

func TestSecretsPrintAsStars(t *testing.T) {
	t.Parallel()
	const value = "hunter2"
	type login struct {
		User     string
		Password hosttools.Secret
		Old      []hosttools.Secret
		New      *hosttools.Secret
		hidden   hosttools.Secret
	}
	secret := hosttools.NewSecret(value)
	in := login{User: "ada", Password: secret, Old: []hosttools.Secret{secret}, New: &secret, hidden: secret}
	var logged bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewJSONHandler(&logged, nil), slog.NewTextHandler(&logged, nil)} {
		slog.New(handler).Error("sign in", "secret", secret, "pointer", &secret, "login", in, "logins", []any{in, &in})
	}
	printed := map[string]string{
		"slog": logged.String(), "String": secret.String(), "GoString": secret.GoString(),
		"error": fmt.Errorf("cannot sign in with %v: %w", secret, fmt.Errorf("%+v", in)).Error(),
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%10.3s", "%p"} {
		printed[verb] = fmt.Sprintf(verb, secret) + fmt.Sprintf(verb, &secret) + fmt.Sprintf(verb, in) + fmt.Sprintf(verb, &in)
	}
	for name, encode := range map[string]func(any) ([]byte, error){
		"json": json.Marshal, "json v2": func(v any) ([]byte, error) { return jsonv2.Marshal(v) },
		"yaml": yaml.Marshal, "xml": xml.Marshal,
	} {
		encoded, err := encode(in)
		require.NoError(t, err, name)
		printed[name] = string(encoded)
	}
	var rendered bytes.Buffer
	require.NoError(t, template.Must(template.New("").Parse("{{.}} {{.Password}}")).Execute(&rendered, in))
	printed["template"] = rendered.String()
	for how, text := range printed {
		require.NotContains(t, text, value, how)
		require.NotContains(t, text, "68756e74657232", how)
	}
	for _, how := range []string{"slog", "String", "GoString", "%v", "%s", "json", "json v2"} {
		require.Contains(t, printed[how], "***", how)
	}
	require.Equal(t, value, in.hidden.Reveal())
	require.Empty(t, hosttools.Secret{}.Reveal())
	require.Equal(t, "***", fmt.Sprint(hosttools.Secret{}), "set or not, it prints the same")
}

func TestSecretsAreReadFromStringsOnly(t *testing.T) {
	t.Parallel()
	var secret hosttools.Secret
	require.NoError(t, jsonv2.Unmarshal([]byte(`"a\u0062c"`), &secret))
	require.Equal(t, "abc", secret.Reveal())
	for _, text := range []string{`1`, `{}`, `[]`, `true`, `"`} {
		require.Error(t, jsonv2.Unmarshal([]byte(text), &secret), text)
		require.Equal(t, "abc", secret.Reveal())
	}
}

func TestInstancesPrintNoSecret(t *testing.T) {
	t.Parallel()
	type config struct {
		Key hosttools.Secret `json:"key" jsonschema:"a key"`
	}
	r := registry(map[string]hosttools.Constructor{"fs_kit": func() (hosttools.Entry, error) {
		return hosttools.Toolkit{Prefix: "fs", Config: &config{}, Methods: []hosttools.Method{echo("say")}}, nil
	}})
	d, ok := r.Find("fs_kit", "say")
	require.True(t, ok)
	instance, err := d.Construct([]byte(`{"key":"correct horse"}`))
	require.NoError(t, err)
	require.Equal(t, []string{"correct horse"}, instance.Secrets())
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		require.NotContains(t, fmt.Sprintf(verb, instance), "correct horse", verb)
		require.NotContains(t, fmt.Sprintf(verb, *instance), "correct horse", verb)
	}
}
