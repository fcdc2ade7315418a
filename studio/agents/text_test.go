package agents_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
)

// TestTextsHideNothing asks for every field of one line and of several.
func TestTextsHideNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	create(t, s, owner())
	rule := func(change func(*models.Rule)) func(*models.Definition, string) {
		return func(d *models.Definition, text string) {
			r := models.Rule{ID: models.NewID(), Kind: models.RulePolicy, Title: "T", Content: text, Weight: models.WeightLow}
			change(&r)
			d.Rules = []models.Rule{r}
		}
	}
	oneLine := map[string]func(*models.Definition, string){
		"title":       func(d *models.Definition, text string) { d.Title = text },
		"description": func(d *models.Definition, text string) { d.Description = text },
		"rule.title":  rule(func(r *models.Rule) { r.Title, r.Content = r.Content, "C" }),
	}
	block := map[string]func(*models.Definition, string){
		"instructions":   func(d *models.Definition, text string) { d.Instructions = text },
		"rule.content":   rule(func(*models.Rule) {}),
		"rule.condition": rule(func(r *models.Rule) { r.Condition, r.Content = r.Content, "C" }),
	}
	try := func(put func(*models.Definition, string), text string) error {
		item, err := s.Get(as(t, owner()), "desk")
		require.NoError(t, err)
		_, err = s.Edit(as(t, owner()), "desk", item.Agent.Version, "n", func(d *models.Definition) error {
			put(d, text)
			return nil
		})
		return err
	}
	for _, fields := range []map[string]func(*models.Definition, string){oneLine, block} {
		for name, put := range fields {
			for _, c := range []string{"\x00", "\x1b", "\r", "\u0085", "\u202e", "\u2066", "\u200f", "\u061c", "\xff"} {
				requireField(t, name, try(put, "a"+c+"b"))
			}
			require.NoError(t, try(put, "Störung – 注文 🙂"), name)
		}
	}
	for name, put := range oneLine {
		for _, c := range []string{"\n", "\t", "\u200b", "\u200d", "\u2028", "\u2029", "\ufeff"} {
			requireField(t, name, try(put, "a"+c+"b"))
		}
	}
	for name, put := range block {
		require.NoError(t, try(put, "one\n\ttwo 👩\u200d💻"), name)
	}
}

func TestTheNameOfTheNewFormIsReserved(t *testing.T) {
	t.Parallel()
	s := setup(t)
	_, err := s.Create(as(t, owner()), shared("new", models.Definition{Title: "New"}))
	require.Equal(t, models.CodeInvalidName, models.CodeOf(err))
	_, err = s.Create(as(t, owner()), shared("new-agent", models.Definition{Title: "New"}))
	require.NoError(t, err)
}
