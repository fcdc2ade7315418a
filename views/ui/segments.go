package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// brailleBlank is a symbol to Unicode, and empty to the eye.
const brailleBlank = '\u2800'

// Segment is a run of text that can be shown as it is, or one flagged unit that cannot.
type Segment struct {
	Raw     string // the exact bytes
	Text    string // what is shown: the bytes themselves, or a name such as "U+202E"
	Flagged bool   // shown as a mark, because the raw form hides, reorders or imitates
	Newline bool   // a line break, which is shown and also kept
}

// Title says in words why a segment is flagged.
func (s Segment) Title() string {
	switch {
	case s.Newline:
		return "line break"
	case strings.HasPrefix(s.Text, "0x"):
		return "a byte that is not valid text, " + s.Text
	default:
		r, _ := utf8.DecodeRuneInString(s.Raw)
		return kindOf(r) + ", " + s.Text
	}
}

// Segments splits s for display. Joining the Raw of every segment gives back s, byte for byte;
// nothing is cut, normalised or reordered. Flagged are control characters, everything
// Unicode calls a format character (bidirectional controls, zero-width characters, tags),
// separators other than the plain space, characters without a glyph, and invalid bytes.
func Segments(s string) []Segment {
	var segments []Segment
	start := 0
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		if !flagged(r, size) {
			at += size
			continue
		}
		if start < at {
			segments = append(segments, Segment{Raw: s[start:at], Text: s[start:at]})
		}
		segments = append(segments, flag(s[at:at+size], r))
		at += size
		start = at
	}
	if start < len(s) {
		segments = append(segments, Segment{Raw: s[start:], Text: s[start:]})
	}
	return segments
}

// Misleading reports whether the segment changes how the text around it is displayed. Line
// breaks and tabs are shown, but do not mislead.
func (s Segment) Misleading() bool {
	return s.Flagged && !s.Newline && s.Raw != "\t" && s.Raw != "\r"
}

// Misleading reports whether s holds a misleading segment.
func Misleading(s string) bool {
	return slices.ContainsFunc(Segments(s), Segment.Misleading)
}

func flagged(r rune, size int) bool {
	if r == utf8.RuneError && size == 1 {
		return true
	}
	if r == ' ' {
		return false
	}
	return !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == brailleBlank ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func flag(raw string, r rune) Segment {
	switch {
	case raw == "\n":
		return Segment{Raw: raw, Text: "↵", Flagged: true, Newline: true}
	case r == utf8.RuneError && len(raw) == 1:
		return Segment{Raw: raw, Text: fmt.Sprintf("0x%02X", raw[0]), Flagged: true}
	default:
		return Segment{Raw: raw, Text: fmt.Sprintf("U+%04X", r), Flagged: true}
	}
}

// kindOf names the families of characters a reader should know about.
func kindOf(r rune) string {
	switch {
	case r == '\t':
		return "tab"
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F, r == 0x061C:
		return "changes the direction of text"
	case r >= 0x200B && r <= 0x200D, r == 0x2060, r == 0xFEFF:
		return "has no width"
	case unicode.IsControl(r):
		return "control character"
	case unicode.IsSpace(r):
		return "unusual space"
	default:
		return "invisible character"
	}
}
