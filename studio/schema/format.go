package schema

import (
	"net/mail"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// format is one kind of text that has a name.
type format struct {
	accepts func(string) bool
	words   string
}

// formatOf returns the format called name, or nil.
func formatOf(name string) *format {
	switch name {
	case "date-time":
		return &format{isDateTime, "a date and time like 2006-01-02T15:04:05Z"}
	case "date":
		return &format{isDate, "a date like 2006-01-02"}
	case "time":
		return &format{isTime, "a time like 15:04:05Z"}
	case "email":
		return &format{isEmail, "an e-mail address"}
	case "uri":
		return &format{isURI, "a full URI like https://example.com/"}
	case "uuid":
		return &format{isUUID, "a UUID"}
	case "ipv4":
		return &format{isIPv4, "an IPv4 address"}
	case "ipv6":
		return &format{isIPv6, "an IPv6 address"}
	case "hostname":
		return &format{isHostname, "a host name"}
	default:
		return nil
	}
}

// isDateTime is RFC 3339. The parser of Go also takes hours of one digit, a
// comma before the fraction, and offsets of a day and more.
func isDateTime(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	if err != nil || s[len("2006-01-02T15")] != ':' || strings.Contains(s, ",") {
		return false
	}
	return s[len(s)-1] == 'Z' || s[len(s)-5:] < "24" && s[len(s)-2:] < "60"
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// isTime is the full-time of RFC 3339, which has an offset.
func isTime(s string) bool { return isDateTime("2000-01-01T" + s) }

// isEmail takes an address alone: no name, no brackets, no comment.
func isEmail(s string) bool {
	address, err := mail.ParseAddress(s)
	return err == nil && address.Address == s
}

// isURI takes absolute URIs of RFC 3986, so no character that it wants escaped.
func isURI(s string) bool {
	if strings.ContainsFunc(s, isOutsideURI) {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && (u.Host != "" || u.Path != "" || u.Opaque != "")
}

func isOutsideURI(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune("<>\"{}|\\^`", r)
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		isHyphen := i == 8 || i == 13 || i == 18 || i == 23
		if isHyphen && s[i] != '-' || !isHyphen && !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isIPv4(s string) bool {
	address, err := netip.ParseAddr(s)
	return err == nil && address.Is4()
}

// isIPv6 takes no zone, which means something on one machine only.
func isIPv6(s string) bool {
	address, err := netip.ParseAddr(s)
	return err == nil && address.Is6() && address.Zone() == ""
}

// isHostname is RFC 1123, section 2.1.
func isHostname(s string) bool {
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		if strings.ContainsFunc(label, isOutsideLabel) {
			return false
		}
	}
	return true
}

func isOutsideLabel(r rune) bool {
	return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}
