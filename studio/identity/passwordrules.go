package identity

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agentstudio/agentstudio/models"
)

const (
	// MinPassword is how long a password is at least, in characters.
	MinPassword = 12
	// MaxPassword is how long it is at most.
	MaxPassword = 128

	// fewCharacters is how many different ones are too few.
	fewCharacters = 5
	// ownPart is how much a password needs besides what others know of a person.
	ownPart = 8
	// shortName is the longest word of a name or an address that may be in a
	// password: shorter ones are in many.
	shortName = 3
)

// common holds the first bytes of the SHA-256 of some 49,000 of the most common
// passwords of breaches, in lower case, sorted. They are those of the MIT-licensed
// package @zxcvbn-ts/language-common 4.1.3; scripts/common-passwords.mjs wrote them.
//
//go:embed common.bin
var common []byte

// commonSize is how many bytes of each hash are kept.
const commonSize = 5

// isCommon reports whether a text in lower case is one of the most common
// passwords.
func isCommon(text string) bool {
	digest := sha256.Sum256([]byte(text))
	n := len(common) / commonSize
	at := func(i int) []byte { return common[i*commonSize : (i+1)*commonSize] }
	i := sort.Search(n, func(i int) bool { return bytes.Compare(at(i), digest[:commonSize]) >= 0 })
	return i < n && bytes.Equal(at(i), digest[:commonSize])
}

// checkPassword says in a plain sentence why a new password is refused: its
// length, or that it is among the first that somebody would try. It asks for no
// kinds of characters.
func checkPassword(password, email, name string) error {
	if !utf8.ValidString(password) {
		return weak("The password has characters that cannot be read. Type it again.")
	}
	password = norm.NFC.String(password)
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword:
		return weak("The password is too short: use at least 12 characters. A few words in a row do well.")
	case n > MaxPassword:
		return weak("The password is too long: use at most 128 characters.")
	}
	lower := strings.ToLower(password)
	switch {
	case repeats(lower):
		return weak("The password repeats itself. Choose one that does not.")
	case runs(lower):
		return weak("The password is a row of the alphabet, the digits or the keyboard. Choose another.")
	case isCommon(lower) || mostly(lower, core(lower)) || mostly(lower, core(plainLetters(lower))):
		return weak("The password is among the most common ones, with little or nothing added. Choose another.")
	case known(lower, email, name):
		return weak("The password is mostly your name, your address or the name of this product. Choose another.")
	}
	return nil
}

// mostly reports a common password that makes up half of a text or more.
func mostly(text, part string) bool { return 2*len(part) >= len(text) && isCommon(part) }

func weak(sentence string) error {
	return models.Errorf(models.CodeValidation, "%s", sentence).With("field", "password")
}

// repeats reports few different characters, or one part over and over.
func repeats(text string) bool {
	runes := []rune(text)
	different := map[rune]bool{}
	for _, r := range runes {
		different[r] = true
	}
	if len(different) < fewCharacters {
		return true
	}
	for size := 1; size <= len(runes)/2; size++ {
		again := true
		for i := size; i < len(runes) && again; i++ {
			again = runes[i] == runes[i-size]
		}
		if again {
			return true
		}
	}
	return false
}

// rows are characters that people run along, both ways, round and round.
func rows() []string {
	return []string{
		"abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop",
		"1234567890-=", "qwertyuiopasdfghjklzxcvbnm", "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
	}
}

// runs reports a text of which all but a few steps go on in a row.
func runs(text string) bool {
	const strayed = 3 // steps that may leave a row
	steps := map[string]bool{}
	for _, row := range rows() {
		for i := range len(row) - 1 {
			steps[row[i:i+2]] = true
			steps[string([]byte{row[i+1], row[i]})] = true
		}
	}
	runes := []rune(text)
	out := 0
	for i := range len(runes) - 1 {
		if !steps[string(runes[i:i+2])] && runes[i] != runes[i+1] {
			out++
		}
	}
	return out <= strayed
}

// core returns a text without what people put around a word: digits and signs.
func core(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
}

// plainLetters undoes the usual digits and signs for letters.
func plainLetters(text string) string {
	return strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i").Replace(
		strings.TrimRightFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }))
}

// known reports a password with little in it but what others know.
func known(text, email, name string) bool {
	words := append(strings.Fields(strings.ToLower(name)), strings.FieldsFunc(strings.ToLower(email), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})...)
	rest := text
	for _, word := range append(words, "agentstudio", "agent", "studio") {
		if utf8.RuneCountInString(word) > shortName {
			rest = strings.ReplaceAll(rest, word, "")
		}
	}
	return rest != text && utf8.RuneCountInString(rest) < ownPart
}
