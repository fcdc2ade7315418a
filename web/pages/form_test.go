package pages

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
)

func TestSlug(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Order desk":         "order-desk",
		"  R&D -- helper 2 ": "r-d-helper-2",
		"Über uns":           "ber-uns",
		"注文":                 "agent",
		"":                   "agent",
		"New!":               "new-agent",
	} {
		require.Equal(t, want, slug(title))
	}
	name := regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)
	rapid.Check(t, func(t *rapid.T) { require.Regexp(t, name, slug(rapid.String().Draw(t, "title"))) })
}

func TestATakenNameGetsANumber(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	create := func(name string) (models.Agent, error) {
		if taken[name] {
			return models.Agent{}, models.Errorf(models.CodeNameTaken, "Taken.")
		}
		taken[name] = true
		return models.Agent{Name: name}, nil
	}
	for _, want := range []string{"agent", "agent-2", "agent-3"} {
		agent, err := firstFree("agent", create)
		require.NoError(t, err)
		require.Equal(t, want, agent.Name)
	}
	long := strings.Repeat("a", 61) + "-bb"
	for _, want := range []string{long, strings.Repeat("a", 61) + "-2"} {
		agent, err := firstFree(long, create)
		require.NoError(t, err)
		require.Equal(t, want, agent.Name)
	}

	tried := 0
	_, err := firstFree("agent", func(string) (models.Agent, error) {
		tried++
		return models.Agent{}, models.Errorf(models.CodeNameTaken, "Taken.")
	})
	require.Equal(t, models.CodeNameTaken, models.CodeOf(err))
	require.Equal(t, 50, tried)

	_, err = firstFree("agent", func(string) (models.Agent, error) { return models.Agent{}, models.NotFound() })
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestExpectedVersion(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]int{"1": 1, "42": 42} {
		got, err := expectedVersion(url.Values{"expected_version": {sent}})
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, sent := range []string{"", "0", "-1", "+1", "01", "1.0", "1e1", " 1", "x", "99999999999999999999"} {
		_, err := expectedVersion(url.Values{"expected_version": {sent}})
		require.Equal(t, models.CodeInvalidExpectedVersion, models.CodeOf(err), "sent %q", sent)
	}
}

func TestFormOfTakesOnlyTheBody(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "/x?nonce=from-the-link&reason=r", strings.NewReader("nonce=n"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	form, err := formOf(echo.New().NewContext(r, httptest.NewRecorder()))
	require.NoError(t, err)
	require.Equal(t, url.Values{"nonce": {"n"}}, form)
}

func TestFormOfRefusesWhatIsTooLargeOrBroken(t *testing.T) {
	t.Parallel()
	for body, code := range map[string]models.Code{
		strings.Repeat("a", 100): models.CodeBodyTooLarge,
		"a=%zz":                  models.CodeInvalidRequest,
	} {
		recorder := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/x", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Body = http.MaxBytesReader(recorder, r.Body, 50)
		_, err := formOf(echo.New().NewContext(r, recorder))
		require.Equal(t, code, models.CodeOf(err))
	}
}

func TestInvalidOf(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err  error
		want invalid
		ok   bool
	}{
		"validation": {
			models.Errorf(models.CodeValidation, "Shorter.").With("field", "title"),
			invalid{status: http.StatusUnprocessableEntity, field: "title", words: "Shorter."},
			true,
		},
		"name taken": {
			models.Errorf(models.CodeNameTaken, "Taken."),
			invalid{status: http.StatusConflict, field: "name", words: "Taken."},
			true,
		},
		"conflict": {
			models.Errorf(models.CodeVersionConflict, "Look."),
			invalid{status: http.StatusConflict, words: "Look."},
			true,
		},
		"not found": {err: models.NotFound()},
		"internal":  {err: http.ErrBodyNotAllowed},
		"none":      {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := invalidOf(test.err)
			require.Equal(t, test.ok, ok)
			require.Equal(t, test.want, got)
		})
	}
}

func TestReadRule(t *testing.T) {
	t.Parallel()
	sent := url.Values{
		"kind": {"policy"}, "title": {" Cancelling "}, "content": {"Look first.\r\nThen ask."}, "condition": {"a cancellation"},
		"tools": {"fs_get_order", "fs_cancel_order"}, "weight": {"HIGH"}, "review": {"true"},
	}
	want := models.Rule{
		Kind: models.RulePolicy, Title: "Cancelling", Content: "Look first.\nThen ask.", Condition: "a cancellation",
		Tools: []string{"fs_get_order", "fs_cancel_order"}, Weight: models.WeightHigh, TriggerToolReview: true,
	}
	require.Equal(t, want, readRule(sent, models.Rule{}))

	sent.Set("kind", "observation")
	want.ID = "r"
	require.Equal(t, want, readRule(sent, models.Rule{ID: "r", Kind: models.RulePolicy}), "a rule keeps its kind")

	observation := readRule(sent, models.Rule{})
	require.Equal(t, "a cancellation", observation.Title)
	require.Empty(t, observation.Content)

	kept := readRule(sent, models.Rule{ID: "r", Kind: models.RuleObservation, Title: "Orders in view", Condition: "orders", Toolkit: "fs_orders"})
	require.Equal(t, "Orders in view", kept.Title)
	require.Equal(t, "fs_orders", kept.Toolkit)
}

func TestTheOwnFieldsOfAForm(t *testing.T) {
	t.Parallel()
	d := models.Definition{Title: "Old", Rules: []models.Rule{{ID: "r"}}, Toolkits: []string{"fs_orders"}, ToolReview: true}
	readOwnFields(url.Values{"name": {"New"}, "model": {"offline"}, "effort": {"HIGH"}}, &d)
	require.Equal(t, models.Definition{
		Title: "New", Model: "offline", Effort: models.EffortHigh, Rules: []models.Rule{{ID: "r"}}, Toolkits: []string{"fs_orders"},
	}, d)

	form := (&agentPages{models: []string{"offline", "other"}}).form(models.Definition{})
	require.True(t, form.Models[0].Selected)
	require.False(t, form.Models[1].Selected)
	for _, effort := range form.Efforts {
		require.Equal(t, effort.Value == string(models.EffortMedium), effort.Selected)
	}
}

func TestAnErrorFindsItsField(t *testing.T) {
	t.Parallel()
	r := &request{}
	require.Equal(t, map[string]string{"name": "w"}, noted(r, invalid{field: "title", words: "w"}, ownField))
	require.Equal(t, map[string]string{"tools": "w"}, noted(r, invalid{field: "rule.tools", words: "w"}, ruleField))
	require.Empty(t, r.shell.Notices)
	require.Nil(t, noted(r, invalid{field: "toolkits", words: "w"}, ownField))
	require.Equal(t, "w", r.shell.Notices[0].Text)
}
