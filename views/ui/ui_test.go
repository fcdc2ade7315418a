package ui_test

import (
	"bytes"
	"strconv"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/views/ui"
)

func document(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, c.Render(t.Context(), &out))
	parsed, err := goquery.NewDocumentFromReader(&out)
	require.NoError(t, err)
	return parsed
}

func TestSiteEscapesEverySegment(t *testing.T) {
	t.Parallel()
	site := ui.Site{Prefix: "/studio", Tenant: "acme"}
	require.Equal(t, "/studio/t/acme", site.URL())
	require.Equal(t, "/studio/t/acme/agents/a%2F..%3Fb", site.URL("agents", "a/..?b"))
	require.Equal(t, "/studio/sign-in/demo", site.Root("sign-in", "demo"))
	require.Equal(t, "/studio/t/-/approvals", ui.Site{Prefix: "/studio", Tenant: "-"}.URL("approvals"))
	require.Equal(t, "/", ui.Site{}.Root())
}

func TestFieldTiesHelpAndErrorToItsControl(t *testing.T) {
	t.Parallel()
	field := ui.Field{ID: "name", Name: "name", Label: "Name", Help: "One line.", Error: "Give it a name.", Value: `"><script>`, MaxLength: 80, Required: true}
	for kind, component := range map[string]templ.Component{"input": ui.TextField(field), "textarea": ui.TextArea(field)} {
		page := document(t, component)
		control := page.Find(kind)
		require.Equal(t, "name-help name-error", control.AttrOr("aria-describedby", ""))
		require.Equal(t, "true", control.AttrOr("aria-invalid", ""))
		require.Equal(t, "80", control.AttrOr("maxlength", ""))
		require.Equal(t, "Give it a name.", page.Find(`#name-error[role="alert"]`).Text())
		require.Equal(t, "One line.", page.Find("#name-help").Text())
		require.Zero(t, page.Find("script, small").Length())
	}
}

func TestPlainFieldHasNoDescription(t *testing.T) {
	t.Parallel()
	page := document(t, ui.TextField(ui.Field{ID: "q", Name: "q", Label: "Words"}))
	_, described := page.Find("input").Attr("aria-describedby")
	require.False(t, described)
	require.Equal(t, "optional", page.Find("label small").Text())
}

func TestSelectPicksByValue(t *testing.T) {
	t.Parallel()
	options := []ui.Option{{Value: "LOW", Label: "Low"}, {Value: "HIGH", Label: "High"}}
	page := document(t, ui.Select(ui.Field{ID: "w", Name: "w", Label: "Weight", Value: "HIGH"}, options))
	require.Equal(t, "High", page.Find("option[selected]").Text())
}

func TestTimeIsExactWithoutAScript(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 3, 4, 11, 5, 6, 0, time.FixedZone("CET", 3600))
	page := document(t, ui.Time(moment))
	require.Equal(t, "4 Mar 2026, 10:05 UTC", page.Find("time").Text())
	require.Equal(t, "2026-03-04T10:05:06Z", page.Find("time").AttrOr("datetime", ""))
	require.Zero(t, document(t, ui.Time(time.Time{})).Find("time").Length())
}

func TestAlertUrgencyFollowsItsTone(t *testing.T) {
	t.Parallel()
	for tone, role := range map[ui.Tone]string{ui.Danger: "alert", ui.Warn: "alert", ui.OK: "status", ui.Neutral: "status"} {
		require.Equal(t, role, document(t, ui.Alert(ui.Notice{Tone: tone, Text: "x"})).Find(".alert").AttrOr("role", ""))
	}
}

// Bars never leave the plot, whatever the numbers are, and what happened is visible.
func TestBarsStayInside(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		values := rapid.SliceOfN(rapid.Int(), 1, 12).Draw(r, "values")
		plot := ui.Plot{ID: "p", Title: "Calls", Unit: "calls"}
		for _, value := range values {
			plot.Points = append(plot.Points, ui.Point{Label: "x", Value: value})
		}
		document(t, ui.Bars(plot)).Find(".fill").Each(func(i int, bar *goquery.Selection) {
			width, err := strconv.Atoi(bar.AttrOr("width", ""))
			require.NoError(t, err)
			require.LessOrEqual(t, width, 100)
			require.Equal(t, values[i] > 0, width > 0)
		})
		document(t, ui.Columns(plot)).Find("rect").Each(func(_ int, column *goquery.Selection) {
			y, err := strconv.Atoi(column.AttrOr("y", ""))
			require.NoError(t, err)
			height, err := strconv.Atoi(column.AttrOr("height", ""))
			require.NoError(t, err)
			require.GreaterOrEqual(t, y, 18)
			require.Equal(t, 102, y+height)
		})
	})
}

func TestColumnsHaveTheNumbersBehindThem(t *testing.T) {
	t.Parallel()
	plot := ui.Plot{ID: "p", Title: "Approvals", Unit: "approvals", Points: []ui.Point{{Label: "08", Value: 2}, {Label: "09", Value: 5}}}
	page := document(t, ui.Columns(plot))
	require.Equal(t, "082095", page.Find("table tbody").Text())
	plot.Points = nil
	require.Zero(t, document(t, ui.Columns(plot)).Find("svg").Length(), "nothing to draw")
}
