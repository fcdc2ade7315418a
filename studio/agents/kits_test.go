package agents_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
	"github.com/agentstudio/agentstudio/studio/store"
)

// exportConfig is everything that can be set of fs_export. The host has
// defaults for format and folder.
type exportConfig struct {
	Region  string                   `json:"region" enum:"eu,us"`
	Format  string                   `json:"format"`
	MaxRows int                      `json:"max_rows" minimum:"1" maximum:"1000" default:"100"`
	Folder  string                   `json:"folder,omitzero"`
	Account int64                    `json:"account,omitzero"`
	Filter  *filter                  `json:"filter,omitzero"`
	Labels  map[string]string        `json:"labels,omitzero"`
	Only    []string                 `json:"only,omitzero"`
	APIKey  hosttools.Secret         `json:"api_key"`
	Token   hosttools.Secret         `json:"token,omitzero"`
	Build   hosttools.Server[string] `json:"build"`
	Ledger  hosttools.App[string]    `json:"ledger" key:"ledger"`
}

type filter struct {
	Status string `json:"status"`
	Limit  int    `json:"limit" default:"10"`
}

func export() (hosttools.Entry, error) {
	return hosttools.Toolkit{
		Prefix: "fs", Title: "Export", Description: "Export orders.",
		Config:  &exportConfig{Build: hosttools.ServerValue("7")},
		Methods: []hosttools.Method{hosttools.NewMethod("export", "Export orders.", nop)},
	}, nil
}

// valid is a configuration of fs_export that is complete.
const valid = `{"region":"eu","api_key":"s3cret-key"}`

// value parses a configuration.
func value(t testing.TB, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	require.NoError(t, err)
	return v
}

// text returns the canonical JSON of a configuration.
func text(t testing.TB, v canon.Value) string {
	t.Helper()
	b, err := canon.Bytes(v)
	require.NoError(t, err)
	return string(b)
}

// exporting returns a service with all toolkits, and olga's agent desk, to
// which fs_export is not assigned yet.
func exporting(t testing.TB, db *store.Store) *agents.Service {
	t.Helper()
	s := service(t, db, registry(t, "fs_orders", "fs_notify", "fs_export"), policy.Tooling{})
	create(t, s, owner())
	return s
}

// configure sets fs_export up, which must be accepted.
func configure(t testing.TB, s *agents.Service, params string, overridable ...string) models.AgentVersion {
	t.Helper()
	v, err := s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{
		Params: value(t, params), UserOverridable: overridable,
	})
	require.NoError(t, err)
	return v
}

// shown returns what is shown of fs_export to its owner.
func shown(t testing.TB, s *agents.Service) agents.ToolkitView {
	t.Helper()
	view, err := s.Toolkit(as(t, owner()), "desk", "fs_export")
	require.NoError(t, err)
	return view
}

// exportTool returns the tool of fs_export.
func exportTool(t testing.TB, r *hosttools.Registry) *hosttools.Descriptor {
	t.Helper()
	d, ok := r.Lookup("fs_export")
	require.True(t, ok)
	return d
}

// issuesOf returns details.issues of invalid_params, as pointer and message.
func issuesOf(t testing.TB, err error) map[string]string {
	t.Helper()
	require.Equal(t, models.CodeInvalidParams, models.CodeOf(err), "%v", err)
	var e *models.Error
	require.ErrorAs(t, err, &e)
	issues, ok := e.Details["issues"].([]schema.Issue)
	require.True(t, ok)
	found := map[string]string{}
	for _, issue := range issues {
		found[issue.Pointer] = issue.Message
	}
	require.Len(t, found, len(issues), "one issue for each place: %v", issues)
	return found
}

// paramsOf returns details.params of an error with a code.
func paramsOf(t testing.TB, code models.Code, err error) any {
	t.Helper()
	require.Equal(t, code, models.CodeOf(err), "%v", err)
	var e *models.Error
	require.ErrorAs(t, err, &e)
	return e.Details["params"]
}

func TestSchemasAreCompiledAtOnce(t *testing.T) {
	t.Parallel()
	authorizer, err := policy.NewAuthorizer()
	require.NoError(t, err)
	r := registry(t, "fs_export")
	group, ok := r.Group("fs_export")
	require.True(t, ok)
	group.Config.Schema.Properties["region"].Format = "no-such-format"
	_, err = agents.New(agents.Config{Store: newStore(t), Registry: r, Authorizer: authorizer, Models: []string{"offline"}})
	require.ErrorContains(t, err, "fs_export")
	require.ErrorContains(t, err, "no-such-format")
}
