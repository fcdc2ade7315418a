package ui_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/views/ui"
)

// hostile draws strings in which tricky characters, invalid bytes and markup are likely.
func hostile() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pieces := rapid.SliceOf(rapid.OneOf(
			rapid.String(),
			rapid.SampledFrom([]string{"\u202e", "\u2066", "\u200b", "\ufeff", "\u00a0", "\u00ad", "\u3164", "\ufe0f", "\U000e0041", "\n", "\r\n", "\t", "\x00", "\xff", "\xc3", "<b>", "&amp;", "\"", "  "}),
		)).Draw(t, "pieces")
		return strings.Join(pieces, "")
	})
}

func TestSegmentsKeepEveryByte(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		input := hostile().Draw(t, "input")
		var joined strings.Builder
		for _, segment := range ui.Segments(input) {
			joined.WriteString(segment.Raw)
			if !segment.Flagged {
				require.Equal(t, segment.Raw, segment.Text)
				require.True(t, utf8.ValidString(segment.Text))
				requireVisible(t, segment.Text)
			}
		}
		require.Equal(t, input, joined.String())
	})
}

func requireVisible(t require.TestingT, text string) {
	for _, r := range text {
		require.True(t, r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r), "U+%04X is not visible", r)
	}
}

// What a person sees determines the bytes: two different strings never look the same.
func TestEscapedCanBeReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		input := hostile().Draw(t, "input")
		var out bytes.Buffer
		require.NoError(t, ui.Escaped(input).Render(t.Context(), &out))
		require.Equal(t, input, readBack(t, out.String()))
	})
}

// readBack turns the rendered form into the string it stands for.
func readBack(t require.TestingT, markup string) string {
	document, err := goquery.NewDocumentFromReader(strings.NewReader("<code>" + markup + "</code>"))
	require.NoError(t, err)
	var text strings.Builder
	for node := document.Find("code").Nodes[0].FirstChild; node != nil; node = node.NextSibling {
		if node.Type == html.TextNode {
			text.WriteString(node.Data)
		} else {
			text.WriteString(decode(t, node.FirstChild.Data))
		}
	}
	return text.String()
}

// decode turns a mark into the bytes it names; the line break itself follows its mark.
func decode(t require.TestingT, mark string) string {
	if mark == "↵" {
		return ""
	}
	code, err := strconv.ParseUint(mark[2:], 16, 32)
	require.NoError(t, err, mark)
	if strings.HasPrefix(mark, "0x") {
		return string([]byte{byte(code)})
	}
	require.True(t, strings.HasPrefix(mark, "U+"), mark)
	return string(rune(code))
}

func TestSegmentsSayWhatIsHidden(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]struct {
		text, title string
		misleading  bool
	}{
		"\u202e":     {"U+202E", "changes the direction of text, U+202E", true},
		"\u2069":     {"U+2069", "changes the direction of text, U+2069", true},
		"\u200b":     {"U+200B", "has no width, U+200B", true},
		"\u00a0":     {"U+00A0", "unusual space, U+00A0", true},
		"\u3164":     {"U+3164", "invisible character, U+3164", true},
		"\ufe0f":     {"U+FE0F", "invisible character, U+FE0F", true},
		"\u2800":     {"U+2800", "invisible character, U+2800", true},
		"\U000e0041": {"U+E0041", "invisible character, U+E0041", true},
		"\x07":       {"U+0007", "control character, U+0007", true},
		"\xff":       {"0xFF", "a byte that is not valid text, 0xFF", true},
		"\t":         {"U+0009", "tab, U+0009", false},
		"\n":         {"↵", "line break", false},
	} {
		segments := ui.Segments(input)
		require.Len(t, segments, 1, "%q", input)
		require.True(t, segments[0].Flagged)
		require.Equal(t, want.text, segments[0].Text)
		require.Equal(t, want.title, segments[0].Title())
		require.Equal(t, want.misleading, ui.Misleading("a"+input+"b"), "%q", input)
	}
}

func TestPlainTextIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"order A-1002", "Grüße", "日本語", "שלום", "naïve é", "84.50 €", "🙂", "\ufffd"} {
		require.Equal(t, []ui.Segment{{Raw: text, Text: text}}, ui.Segments(text))
		require.False(t, ui.Misleading(text))
	}
	require.Empty(t, ui.Segments(""))
}

func FuzzSegments(f *testing.F) {
	for _, seed := range []string{"", "A-1002", "a\u202eb", "\xff\xfe", "line\nline\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		var joined strings.Builder
		for _, segment := range ui.Segments(input) {
			require.NotEmpty(t, segment.Raw)
			require.NotEmpty(t, segment.Text)
			joined.WriteString(segment.Raw)
		}
		require.Equal(t, input, joined.String())
	})
}
