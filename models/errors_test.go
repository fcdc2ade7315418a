package models_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
)

func TestErrorIs(t *testing.T) {
	t.Parallel()
	err := models.Errorf(models.CodeNameTaken, "The name %q is taken.", "bot")
	wrapped := fmt.Errorf("save: %w", fmt.Errorf("insert: %w", err.Reason("unique")))
	cases := map[string]struct {
		err    error
		target error
		want   bool
	}{
		"its code":                       {err, &models.Error{Code: models.CodeNameTaken}, true},
		"its code, wrapped":              {wrapped, &models.Error{Code: models.CodeNameTaken}, true},
		"another code":                   {wrapped, &models.Error{Code: models.CodeNotFound}, false},
		"itself":                         {err, err, true},
		"a message asks for more":        {err, models.Errorf(models.CodeNameTaken, "Other words."), false},
		"no code":                        {err, &models.Error{}, false},
		"its cause":                      {err.Because(io.EOF), io.EOF, true},
		"its cause, beside its code":     {err.Because(io.EOF), &models.Error{Code: models.CodeNameTaken}, true},
		"not its cause":                  {err.Because(io.EOF), io.ErrClosedPipe, false},
		"the code of its cause":          {err.Because(models.NotFound()), &models.Error{Code: models.CodeNotFound}, true},
		"another error is not it":        {io.EOF, &models.Error{Code: models.CodeInternal}, false},
		"its code, joined with another":  {errors.Join(io.EOF, err), &models.Error{Code: models.CodeNameTaken}, true},
		"not found, absent or unseen":    {models.NotFound(), &models.Error{Code: models.CodeNotFound}, true},
		"two answers for what is absent": {models.NotFound(), models.NotFound(), false}, // compared by code, not by value
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, errors.Is(c.err, c.target))
		})
	}
}

func TestCodeOf(t *testing.T) {
	t.Parallel()
	err := models.Errorf(models.CodeNotFound, "x")
	cases := map[string]struct {
		err  error
		want models.Code
	}{
		"nil":            {nil, ""},
		"ours":           {err, models.CodeNotFound},
		"wrapped":        {fmt.Errorf("read: %w", err), models.CodeNotFound},
		"joined":         {errors.Join(io.EOF, err), models.CodeNotFound},
		"foreign":        {io.EOF, models.CodeInternal},
		"the outer wins": {models.Errorf(models.CodeInvalidArgs, "y").Because(err), models.CodeInvalidArgs},
	}
	for name, c := range cases {
		require.Equal(t, c.want, models.CodeOf(c.err), name)
	}
}

func TestReasonOf(t *testing.T) {
	t.Parallel()
	err := models.Errorf(models.CodeNotFound, "x")
	cases := map[string]struct {
		err  error
		want string
	}{
		"nil":             {nil, ""},
		"foreign":         {io.EOF, ""},
		"none":            {err, ""},
		"set":             {err.Reason("why"), "why"},
		"wrapped":         {fmt.Errorf("read: %w", err.Reason("why")), "why"},
		"the last one":    {err.Reason("why").Reason("because"), "because"},
		"not a string":    {err.With("reason", 7), ""},
		"another detail":  {err.With("item", "why"), ""},
		"not the cause's": {err.Because(err.Reason("why")), ""},
	}
	for name, c := range cases {
		require.Equal(t, c.want, models.ReasonOf(c.err), name)
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	err := models.Errorf(models.CodeNotFound, "Order %d is gone.", 7)
	require.EqualError(t, err, "not_found: Order 7 is gone.")
	require.EqualError(t, err.Because(io.EOF), "not_found: Order 7 is gone.: EOF")
	require.Equal(t, "Order 7 is gone.", err.Because(io.EOF).Message, "the cause is not for people")
	require.NoError(t, errors.Unwrap(err))
}

func TestNotFoundIsAlwaysTheSame(t *testing.T) {
	t.Parallel()
	a, b := models.NotFound(), models.NotFound()
	require.Equal(t, a, b)
	require.NotSame(t, a, b)
	require.Empty(t, a.Details)
}

func TestWithCopies(t *testing.T) {
	t.Parallel()
	names := rapid.SampledFrom([]string{"reason", "item", "params"})
	rapid.Check(t, func(t *rapid.T) {
		// Every error on the way must stay what it was when it was made.
		made := []*models.Error{models.Errorf(models.CodeInvalidArgs, "x")}
		want := []map[string]any{{}}
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			i := rapid.IntRange(0, len(made)-1).Draw(t, "from")
			name, value := names.Draw(t, "name"), rapid.Int().Draw(t, "value")
			details := map[string]any{name: value}
			for k, v := range want[i] {
				if k != name {
					details[k] = v
				}
			}
			made, want = append(made, made[i].With(name, value).Because(io.EOF)), append(want, details)
		}
		for i, err := range made {
			require.Len(t, err.Details, len(want[i]))
			for k, v := range want[i] {
				require.Equal(t, v, err.Details[k])
			}
			require.Equal(t, i > 0, err.Err != nil)
		}
	})
}
