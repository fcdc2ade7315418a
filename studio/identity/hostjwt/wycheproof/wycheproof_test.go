package wycheproof_test

import (
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	vectors "github.com/c2sp/wycheproof"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/identity/hostjwt"
)

type document struct {
	NumberOfTests int `json:"numberOfTests"`
	TestGroups    []struct {
		Comment string          `json:"comment"`
		Public  json.RawMessage `json:"public"`
		Private json.RawMessage `json:"private"`
		Tests   []struct {
			ID      int    `json:"tcId"`
			Comment string `json:"comment"`
			JWS     any    `json:"jws"`
			Result  string `json:"result"`
		} `json:"tests"`
	} `json:"testGroups"`
}

func load(t *testing.T, name string) document {
	t.Helper()
	data, err := fs.ReadFile(vectors.TestVectors, name)
	require.NoError(t, err)
	var d document
	require.NoError(t, json.Unmarshal(data, &d))
	require.NotZero(t, d.NumberOfTests)
	return d
}

// set is the set of one public key. A key for something else leaves it empty, and
// one that is broken or secret has none.
func set(key json.RawMessage) hostjwt.KeySet {
	s, err := hostjwt.ParseKeySet(slices.Concat([]byte(`{"keys":[`), key, []byte(`]}`)))
	if err != nil {
		return hostjwt.KeySet{}
	}
	return s
}

// TestSignatures runs every vector of JSON Web Signatures. What is valid and of an
// algorithm that may sign here is believed; all else is not.
func TestSignatures(t *testing.T) {
	d := load(t, "json_web_signature_test.json")
	tokens := identity.NewTokens([32]byte{1}, time.Now)
	count := map[string]int{}
	for _, group := range d.TestGroups {
		key := group.Public
		if key == nil {
			key = group.Private
		}
		var described struct {
			Algorithm string `json:"alg"`
			Type      string `json:"kty"`
		}
		require.NoError(t, json.Unmarshal(key, &described))
		for _, test := range group.Tests {
			text, ok := test.JWS.(string)
			if !ok { // in the JSON serialisation, which is no compact form
				raw, err := json.Marshal(test.JWS)
				require.NoError(t, err)
				text = string(raw)
			}
			_, err := hostjwt.VerifyCompact(text, set(key), hostjwt.Algorithms())
			want := test.Result == "valid" && slices.Contains(hostjwt.Algorithms(), described.Algorithm) &&
				algorithmOf(text) == described.Algorithm // a key for one algorithm is for no other
			if want != (err == nil) {
				t.Errorf("%d of %s, %s: believed %t, want %t: %v", test.ID, described.Algorithm, test.Comment, err == nil, want, err)
			}
			if _, err := tokens.VerifyAPI(text); err == nil {
				t.Errorf("%d is no token of ours", test.ID)
			}
			count[described.Algorithm+" "+test.Result]++
		}
	}
	total := 0
	for _, n := range count {
		total += n
	}
	require.Equal(t, d.NumberOfTests, total)
	for _, algorithm := range []string{hostjwt.ES256, hostjwt.RS256, hostjwt.PS256} {
		require.NotZero(t, count[algorithm+" valid"], algorithm)
		require.NotZero(t, count[algorithm+" invalid"], algorithm)
	}
	t.Log(count)
}

// algorithmOf is what the header of a token says, "" where it says nothing.
func algorithmOf(text string) string {
	header, _, _ := strings.Cut(text, ".")
	data, err := base64.RawURLEncoding.DecodeString(header)
	if err != nil {
		return ""
	}
	var said struct {
		Algorithm string `json:"alg"`
	}
	if json.Unmarshal(data, &said) != nil {
		return ""
	}
	return said.Algorithm
}

// TestKeys runs the vectors of JSON Web Keys: nothing that must not be believed
// is, whatever stands in a key set.
func TestKeys(t *testing.T) {
	refused := 0
	for _, name := range []string{"json_web_key_test.json", "json_web_crypto_test.json"} {
		for _, group := range load(t, name).TestGroups {
			for _, keys := range []json.RawMessage{group.Public, group.Private} {
				for _, test := range group.Tests {
					text, ok := test.JWS.(string)
					if !ok || keys == nil || test.Result == "valid" {
						continue
					}
					for _, s := range []hostjwt.KeySet{set(keys), whole(keys)} {
						if _, err := hostjwt.VerifyCompact(text, s, hostjwt.Algorithms()); err == nil {
							t.Errorf("%s: %d of %s, %s, is believed", name, test.ID, group.Comment, test.Comment)
						}
						refused++
					}
				}
			}
		}
	}
	require.NotZero(t, refused)
	t.Log(refused, "refused")
}

// whole is the set that a vector gives as one.
func whole(keys json.RawMessage) hostjwt.KeySet {
	s, err := hostjwt.ParseKeySet(keys)
	if err != nil {
		return hostjwt.KeySet{}
	}
	return s
}
