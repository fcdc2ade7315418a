package schemas

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// addName appends a property's name to the order of s. It refuses a name that
// could be taken for another of the same object, since the argument parser
// refuses such objects.
func addName(s *jsonschema.Schema, name, path string) error {
	if name == "" {
		return refuse(path, "a property needs a name")
	}
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return refuse(path, "the name %q holds a control character or is not UTF-8", name)
	}
	for _, other := range s.PropertyOrder {
		switch {
		case other == name:
			return refuse(path, "two fields have the JSON name %q; rename one", name)
		case strings.EqualFold(other, name):
			return refuse(path, "the names %q and %q differ only in case; rename one", other, name)
		}
	}
	s.PropertyOrder = append(s.PropertyOrder, name)
	return nil
}

// knownFormat reports whether a format is one that is checked.
func knownFormat(format string) bool {
	switch format {
	case "date-time", "date", "time", "email", "uri", "uuid", "ipv4", "ipv6", "hostname":
		return true
	default:
		return false
	}
}

// formats lists what [knownFormat] knows, for refusals.
const formats = "date-time, date, time, email, uri, uuid, ipv4, ipv6, hostname"
