package pages

import (
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
	views "github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/ui"
)

func ptr[T any](v T) *T { return &v }

func TestLabels(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"max_rows": "Max rows", "maxRows": "Max rows", "apiKey": "API key", "user-id": "User ID", "region": "Region",
		"URL": "URL", "__": "__", "größe_in_m": "Größe in m", "": "",
	} {
		require.Equal(t, want, labelOf(nil, name))
	}
	require.Equal(t, "Key", labelOf(&jsonschema.Schema{Title: "Key"}, "api_key"))
}

func TestLimitsInWords(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]*jsonschema.Schema{
		"From 1 to 100.":                                   {Type: "integer", Minimum: ptr(1.0), Maximum: ptr(100.0)},
		"More than 0. In steps of 0.01.":                   {Type: "number", ExclusiveMinimum: ptr(0.0), MultipleOf: ptr(0.01)},
		"Less than 5000000.":                               {Type: "number", ExclusiveMaximum: ptr(5e6)},
		"At least 2 characters and at most 40 characters.": {Type: "string", MinLength: ptr(2), MaxLength: ptr(40)},
		"In UTC.":          {Types: []string{"string", "null"}, Format: "date-time"},
		"Its form is ^A$.": {Type: "string", Pattern: "^A$"},
		"Write each on its own line. At least 1 and at most 3. Each is one of a, b.": {
			Type: "array", MinItems: ptr(1), MaxItems: ptr(3), Items: &jsonschema.Schema{Type: "string", Enum: []any{"a", "b"}},
		},
		"Write it as JSON.": {Type: "object"},
		"":                  {Type: "boolean"},
	} {
		require.Equal(t, want, limits(s))
	}
}

func TestWhatNumberFieldsLetThrough(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema          jsonschema.Schema
		least, most, by string
	}{
		{jsonschema.Schema{Type: "integer"}, "", "", "1"},
		{jsonschema.Schema{Type: "integer", ExclusiveMinimum: ptr(0.0), ExclusiveMaximum: ptr(9.5)}, "1", "9", "1"},
		{jsonschema.Schema{Type: "number", ExclusiveMinimum: ptr(0.0)}, "", "", "any"},
		{jsonschema.Schema{Type: "number", Minimum: ptr(0.5), Maximum: ptr(2.0), MultipleOf: ptr(0.25)}, "0.5", "2", "0.25"},
		{jsonschema.Schema{Type: "integer", Minimum: ptr(1.0), MultipleOf: ptr(5.0)}, "1", "", "any"},
		{jsonschema.Schema{Type: "integer", MultipleOf: ptr(5.0)}, "", "", "any"},
	} {
		require.Equal(t, []string{c.least, c.most, c.by}, []string{least(&c.schema), most(&c.schema), step(&c.schema)})
	}
}

func TestTextsThatABrowserWouldChangeGetAPlainField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, value string
		control       views.Control
		shown         string
	}{
		{"", "a", views.TextLine, "a"},
		{"", "a\nb", views.Block, "a\nb"},
		{"email", "a@b", views.Email, "a@b"},
		{"uri", "", views.Address, ""},
		{"date", "2026-03-04", views.Day, "2026-03-04"},
		{"date", "soon", views.TextLine, "soon"},
		{"date-time", "2026-03-04T10:00:00Z", views.Moment, "2026-03-04T10:00:00"},
		{"date-time", "2026-03-04T10:00:00.5Z", views.TextLine, "2026-03-04T10:00:00.5Z"},
		{"date-time", "2026-03-04T10:00:00+02:00", views.TextLine, "2026-03-04T10:00:00+02:00"},
		{"time", "10:00:00Z", views.Clock, "10:00:00"},
		{"time", "", views.Clock, ""},
	} {
		field := views.Param{Value: c.value}
		textControl(&field, &jsonschema.Schema{Type: "string", Format: c.format})
		require.Equal(t, c.control, field.Control, c.value)
		require.Equal(t, c.shown, field.Value)
	}
}

func TestWhatIsSaidBesideAParameter(t *testing.T) {
	t.Parallel()
	config := deskConfig(t)
	why, again := refusalOf(models.Errorf(models.CodeInvalidParams, "No.").With("issues", []schema.Issue{
		{Pointer: "/max_rows", Message: "must be at least 1"},
		{Pointer: "/tags/1", Message: "must be text"},
		{Pointer: "/limits/0/amount", Message: "is missing"},
		{Pointer: "/limits/1/amount", Message: "is missing"},
	}))
	require.True(t, again)
	require.Equal(t, 422, why.status)
	said, whole := why.errorsOf(config, nil)
	require.True(t, whole)
	require.Equal(t, map[string]string{
		"max_rows": "Max rows must be at least 1.", "tags": "Tags, entry 2, must be text.",
		"limits": "Limits, at 0 › amount, is missing. Limits, at 1 › amount, is missing.",
	}, said)

	why.issues = append(why.issues, schema.Issue{Pointer: "/new~1name", Message: "is not known"})
	_, whole = why.errorsOf(config, nil)
	require.False(t, whole, "what no field can say stands above the page")
	name, _ := splitPointer("/new~1name/~01")
	require.Equal(t, "new/name", name)

	why, again = refusalOf(models.Errorf(models.CodeServerManaged, "No.").With("params", []string{"mail"}))
	require.True(t, again)
	said, whole = why.errorsOf(config, nil)
	require.False(t, whole)
	require.NotEmpty(t, said["mail"])
	_, again = refusalOf(models.NotFound())
	require.False(t, again)
}

func TestHowAToolkitIsSetUpInALine(t *testing.T) {
	t.Parallel()
	group := hosttools.Group{Config: deskConfig(t)}
	params, err := canon.Parse([]byte(`{"max_rows":0,"sender":"a"}`))
	require.NoError(t, err)
	setup := setupOf(agents.ToolkitView{
		Group: &group, Params: params, UserOverridable: []string{"api_key"},
		Issues: []schema.Issue{
			{Pointer: "/max_rows", Message: "must be at least 1"},
			{Pointer: "/region", Message: "is missing"},
			{Pointer: "/api_key", Message: "is missing"},
		},
	})
	require.Equal(t, "2 of 12 set", setup.Text)
	require.Equal(t, []ui.Mark{
		{Text: "Needs: Region", Tone: ui.Warn}, {Text: "Does not fit: Max rows", Tone: ui.Warn}, {Text: "Each user sets: API key"},
	}, setup.Marks)
	require.Nil(t, setupOf(agents.ToolkitView{}), "it is not registered")
	require.Nil(t, setupOf(agents.ToolkitView{Group: &hosttools.Group{}}), "there is nothing to set up")
}

func TestWhatWasSetOfAToolkitThatIsGone(t *testing.T) {
	t.Parallel()
	params, err := canon.Parse([]byte(`{"api_key":"********","max_rows":7}`))
	require.NoError(t, err)
	page := &toolkitPage{
		request:  &request{site: testSite()},
		overview: agents.Overview{Editable: true},
		toolkit:  agents.ToolkitView{Slug: "hd_desk", Title: "hd_desk", Why: "It is gone.", Params: params},
	}
	view := page.view()
	require.Equal(t, "It is gone.", view.Toolkit.Unavailable)
	require.Nil(t, view.Own)
	require.Equal(t, "Stored, and never shown", view.Params[0].Shown)
	require.Equal(t, "7", view.Params[1].Shown)
}

func TestSources(t *testing.T) {
	t.Parallel()
	for origin, want := range map[hosttools.Origin]string{
		hosttools.OriginBuiltin: "Built in", hosttools.OriginPackaged: "Packaged", hosttools.OriginHost: "Host",
		hosttools.OriginWalk: "Host, not registered",
	} {
		require.Equal(t, want, sourceOf(origin))
		toolkit := catalogued(hosttools.Group{Origin: origin, Config: deskConfig(t)}, nil)
		require.Equal(t, origin == hosttools.OriginWalk, toolkit.Deprecated != "")
		require.Len(t, toolkit.Params, 13)
		require.True(t, toolkit.Params[11].Secret)
		require.True(t, toolkit.Params[12].Managed)
	}
}
