package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Escaped shows text from outside exactly: characters that hide, reorder or imitate appear as
// marked code points, and line breaks are both marked and kept. It is written by hand because a
// template may add white space between its parts.
func Escaped(s string) templ.Component {
	return segmentsComponent(s, `<span class="esc nl" title="line break">↵</span>`+"\n")
}

// Isolated is Escaped for text inside a sentence, such as what people and agents are called: it
// also keeps the direction of the text to itself, so that it cannot reorder what stands around it.
func Isolated(s string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if _, err := io.WriteString(w, "<bdi>"); err != nil {
			return err
		}
		if err := Escaped(s).Render(ctx, w); err != nil {
			return err
		}
		_, err := io.WriteString(w, "</bdi>")
		return err
	})
}

// Plain is what [Escaped] shows, without the marks, for where no element can stand.
func Plain(s string) string {
	var plain strings.Builder
	for _, segment := range Segments(s) {
		plain.WriteString(segment.Text)
	}
	return plain.String()
}

// Preformatted is Escaped for blocks of code, where line breaks need no mark.
func Preformatted(s string) templ.Component {
	return segmentsComponent(s, "\n")
}

func segmentsComponent(s, lineBreak string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var html strings.Builder
		for _, segment := range Segments(s) {
			switch {
			case segment.Newline:
				html.WriteString(lineBreak)
			case segment.Flagged:
				html.WriteString(`<span class="esc" title="` + templ.EscapeString(segment.Title()) + `">`)
				html.WriteString(templ.EscapeString(segment.Text) + `</span>`)
			default:
				html.WriteString(templ.EscapeString(segment.Text))
			}
		}
		_, err := io.WriteString(w, html.String())
		return err
	})
}
