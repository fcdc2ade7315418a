package approvals

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"github.com/agentstudio/agentstudio/views/ui"
)

// exact shows a text without adding white space of its own, so that what stands between the
// quotation marks, which the style draws, is the text.
func exact(text string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if _, err := io.WriteString(w, `<code class="text">`); err != nil {
			return err
		}
		if err := ui.Escaped(text).Render(ctx, w); err != nil {
			return err
		}
		_, err := io.WriteString(w, `</code>`)
		return err
	})
}

// words drops the empty ones.
func words(all ...string) []string {
	var kept []string
	for _, word := range all {
		if word != "" {
			kept = append(kept, word)
		}
	}
	return kept
}
