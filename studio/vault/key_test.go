package vault

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func masterKey(raw []byte) MasterKey { return MasterKey{secret: hide([KeySize]byte(raw))} }

func TestDeriveIsStable(t *testing.T) {
	t.Parallel()
	// RFC 5869 computed by hand from HMAC-SHA-256, so that a change of library
	// or of scheme cannot silently make all seals worthless.
	key := masterKey(sample())
	for _, purpose := range []Purpose{PurposeTokens, PurposeSeals, PurposeVault} {
		derived := key.Derive(purpose)
		require.Equal(t, byHand(sample(), derivation+string(purpose)), derived[:], purpose)
	}
}

func TestDeriveSeparates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), KeySize, KeySize)
		a, b := raw.Draw(t, "a"), raw.Draw(t, "b")
		p, q := Purpose(rapid.String().Draw(t, "p")), Purpose(rapid.String().Draw(t, "q"))
		same := bytes.Equal(a, b) && p == q
		require.Equal(t, same, masterKey(a).Derive(p) == masterKey(b).Derive(q))
		require.NotEqual(t, a, func() []byte { d := masterKey(a).Derive(p); return d[:] }())
	})
}

func TestZeroKeyProvesNothing(t *testing.T) {
	t.Parallel()
	var zero MasterKey
	require.True(t, zero.IsZero())
	first := zero.Derive(PurposeSeals)
	require.NotEqual(t, first, zero.Derive(PurposeSeals))
	require.NotEqual(t, masterKey(make([]byte, KeySize)).Derive(PurposeSeals), zero.Derive(PurposeSeals))
	seal := zero.Sealer(PurposeSeals).Seal("d", nil)
	require.False(t, zero.Sealer(PurposeSeals).Valid("d", nil, seal))

	var sealer Sealer
	require.Nil(t, sealer.Seal("d", []byte("x")))
	require.False(t, sealer.Valid("d", []byte("x"), nil))
	require.False(t, sealer.Valid("d", []byte("x"), []byte{}))
}

func TestSealer(t *testing.T) {
	t.Parallel()
	sealer := masterKey(sample()).Sealer(PurposeSeals)
	seal := sealer.Seal("approval", []byte("pay 10"))
	require.Len(t, seal, 32)
	require.True(t, sealer.Valid("approval", []byte("pay 10"), seal))

	flipped := bytes.Clone(seal)
	flipped[31] ^= 1
	cases := map[string]bool{
		"other data":       sealer.Valid("approval", []byte("pay 99"), seal),
		"other domain":     sealer.Valid("decision", []byte("pay 10"), seal),
		"no seal":          sealer.Valid("approval", []byte("pay 10"), nil),
		"one bit":          sealer.Valid("approval", []byte("pay 10"), flipped),
		"cut":              sealer.Valid("approval", []byte("pay 10"), seal[:31]),
		"longer":           sealer.Valid("approval", []byte("pay 10"), append(bytes.Clone(seal), 0)),
		"moved boundary":   sealer.Valid("approvalpay", []byte(" 10"), seal),
		"another purpose":  masterKey(sample()).Sealer(PurposeVault).Valid("approval", []byte("pay 10"), seal),
		"another server":   masterKey(bytes.Repeat([]byte("ab"), 16)).Sealer(PurposeSeals).Valid("approval", []byte("pay 10"), seal),
		"domain with data": sealer.Valid("", []byte("approvalpay 10"), seal),
	}
	for name, valid := range cases {
		require.False(t, valid, name)
	}
}

func TestSealsDifferUnlessAllIsEqual(t *testing.T) {
	t.Parallel()
	sealer := masterKey(sample()).Sealer(PurposeSeals)
	text := rapid.StringMatching(`[ab]{0,4}`) // short, so that equal ones occur
	rapid.Check(t, func(t *rapid.T) {
		d1, d2 := text.Draw(t, "domain 1"), text.Draw(t, "domain 2")
		x1, x2 := text.Draw(t, "data 1"), text.Draw(t, "data 2")
		same := d1 == d2 && x1 == x2
		require.Equal(t, same, sealer.Valid(d1, []byte(x1), sealer.Seal(d2, []byte(x2))))
	})
}

func TestSecretsPrintAsStars(t *testing.T) {
	t.Parallel()
	key := masterKey(sample())
	sealer, box := key.Sealer(PurposeSeals), key.Box(PurposeVault)
	for _, text := range []string{
		key.String(), key.GoString(), sealer.String(), sealer.GoString(), box.String(), box.GoString(),
	} {
		require.Equal(t, redacted, text)
	}
	for _, value := range []any{key, &key, sealer, &sealer, box, &box} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%b", "%o", "%08.3v"} {
			require.Equal(t, redacted, fmt.Sprintf(verb, value), verb)
		}
		require.Equal(t, redacted, fmt.Sprint(value))
		encoded, err := json.Marshal(map[string]any{"key": value})
		require.NoError(t, err)
		require.JSONEq(t, `{"key":"***"}`, string(encoded))
	}
}

func TestSecretsStayHiddenInsideOthers(t *testing.T) {
	t.Parallel()
	key := masterKey(sample())
	type service struct {
		Open   MasterKey
		hidden MasterKey
		sealer Sealer
		box    Box
		list   []MasterKey
	}
	s := service{key, key, key.Sealer(PurposeSeals), key.Box(PurposeVault), []MasterKey{key}}
	var out bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("start", "key", key, "sealer", s.sealer, "box", s.box, "service", s, "pointer", &s, slog.Group("g", "key", key))
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		fmt.Fprintf(&out, verb, s)
		fmt.Fprintf(&out, verb, &s)
	}

	seals, boxes := s.sealer.key(), key.Derive(PurposeVault)
	for _, raw := range [][]byte{sample(), seals[:], boxes[:]} {
		require.NotContains(t, strings.ToLower(out.String()), hex.EncodeToString(raw[:4]))
		require.NotContains(t, out.String(), string(raw[:4]))
		require.NotContains(t, out.String(), strings.Trim(fmt.Sprint(string(raw[:4])), "[]"))
		require.NotContains(t, out.String(), strings.TrimSuffix(strings.SplitN(fmt.Sprintf("%#v", raw[:4]), "{", 2)[1], "}"))
	}
	require.Contains(t, out.String(), redacted)
}
