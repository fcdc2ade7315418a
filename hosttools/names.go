package hosttools

// nameRule is what all model providers take for a name.
const nameRule = "must start with a letter or underscore, and go on with letters, digits, \"_\" and \"-\", at most 64"

// maxName is the longest name that all model providers take.
const maxName = 64

func validName(name string) bool {
	if name == "" || len(name) > maxName {
		return false
	}
	for i, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '-') {
			return false
		}
	}
	return true
}

// fold returns a name as look-ups compare it: in lower case. Only the letters
// that a name may have are changed, so that no look-alike finds an entry.
func fold(name string) string {
	lower := []byte(name)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}
