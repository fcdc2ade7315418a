package canon_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/studio/canon"
)

func TestInteger(t *testing.T) {
	t.Parallel()
	digits40 := strings.Repeat("9", canon.MaxIntegerDigits)
	tests := map[string]string{ // "" stands for not ok
		"0":                      "0",
		"-0":                     "0",
		"-0.000e5":               "0",
		"0e999999999999999999":   "0",
		"1":                      "1",
		"-12":                    "-12",
		"1.0":                    "1",
		"1e2":                    "100",
		"1E+2":                   "100",
		"100e-2":                 "1",
		"-1.50e1":                "-15",
		"0.001e3":                "1",
		"120e-1":                 "12",
		"9007199254740993":       "9007199254740993",
		"9007199254740993.0":     "9007199254740993",
		"900719925474099.3e1":    "9007199254740993",
		"-9223372036854775808":   "-9223372036854775808",
		"18446744073709551615":   "18446744073709551615",
		digits40:                 digits40,
		"-" + digits40:           "-" + digits40,
		"1e39":                   "1" + strings.Repeat("0", 39),
		"0." + digits40 + "e40":  digits40,
		digits40 + "0":           "",
		"1e40":                   "",
		"1e999999999":            "",
		"1e99999999999999999999": "",
		"1e-999999999":           "",
		"0.5":                    "",
		"1.5e0":                  "",
		"1e-1":                   "",
		"15e-1":                  "",
	}
	for literal, want := range tests {
		t.Run(literal, func(t *testing.T) {
			t.Parallel()
			v := parse(t, literal)
			require.Equal(t, literal, v.Literal())
			got, ok := v.Integer()
			require.Equal(t, want, got)
			require.Equal(t, want != "", ok)
		})
	}
}

func TestIntegerOfHugeExponentDoesNotAllocate(t *testing.T) {
	v := parse(t, "1e999999999")
	require.Zero(t, testing.AllocsPerRun(10, func() { v.Integer() }))
}

func TestFloat(t *testing.T) {
	t.Parallel()
	tests := map[string]float64{
		"0":                       0,
		"-0":                      0,
		"-0.0e-400":               0,
		"1.5":                     1.5,
		"9007199254740993":        9007199254740992,
		"5e-324":                  5e-324,
		"3e-324":                  5e-324,
		"1.7976931348623157e308":  math.MaxFloat64,
		"1" + zeros(300):          1e300,
		"0." + zeros(300) + "1e1": 1e-300,
		// Literals that strconv alone misreads.
		"1" + zeros(1000) + "e-1000":                 1,
		"-25" + zeros(3000) + "e-3001":               -2.5,
		"0." + zeros(200000) + "1e200001":            1,
		"1" + zeros(999) + "." + zeros(9) + "1e-999": 1,
	}
	for literal, want := range tests {
		t.Run(literal, func(t *testing.T) {
			t.Parallel()
			got, err := parse(t, literal).Float()
			require.NoError(t, err)
			require.Equal(t, math.Float64bits(want), math.Float64bits(got))
		})
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

func TestFloatRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"overflow":               "1e400",
		"negative overflow":      "-1e400",
		"underflow":              "1e-400",
		"negative underflow":     "-1e-400",
		"just below smallest":    "2e-324",
		"fraction of zeros":      "0." + zeros(400) + "1",
		"huge exponent":          "1e99999999999999999999",
		"long literal":           "1" + zeros(3000) + "e-5000",
		"exponent strconv drops": "1" + zeros(10005) + "e-100005",
	}
	for name, literal := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(t, literal).Float()
			requireReason(t, canon.ReasonNumberRange, err)
			_, err = canon.Bytes(parse(t, `{"a":[`+literal+`]}`))
			refusal := refusedFor(t, canon.ReasonNumberRange, err)
			require.Equal(t, "/a/0", refusal.Pointer)
			require.Equal(t, canon.NoOffset, refusal.Offset)
		})
	}
}

// TestNumbersAgreeWithRationals compares with exact arithmetic, on literals long
// enough to go wrong.
func TestNumbersAgreeWithRationals(t *testing.T) {
	t.Parallel()
	part := rapid.OneOf(rapid.StringMatching(`[0-9]{1,5}`), rapid.StringMatching(`[0-9]?0{0,999}[0-9]`))
	rapid.Check(t, func(t *rapid.T) {
		exponent := rapid.IntRange(-1100, 1100).Draw(t, "exponent")
		literal := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign") +
			"1" + part.Draw(t, "whole") + "." + part.Draw(t, "fraction") + "e" + strconv.Itoa(exponent)
		exact, ok := new(big.Rat).SetString(literal)
		require.True(t, ok)
		v, err := canon.Parse([]byte(literal))
		require.NoError(t, err)

		digits, ok := v.Integer()
		want := exact.Num().String()
		require.Equal(t, exact.IsInt() && len(strings.TrimPrefix(want, "-")) <= canon.MaxIntegerDigits, ok)
		require.True(t, !ok || digits == want, "%s is not %s", digits, want)

		wantFloat, _ := exact.Float64()
		got, err := v.Float()
		if wantFloat == 0 || math.IsInf(wantFloat, 0) {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		require.Equal(t, wantFloat, got)
	})
}

func TestNumberAccessorsOfOtherKinds(t *testing.T) {
	t.Parallel()
	v := canon.String("12")
	require.Empty(t, v.Literal())
	_, ok := v.Integer()
	require.False(t, ok)
	_, err := v.Float()
	requireReason(t, canon.ReasonNumberRange, err)
}

func TestIntNode(t *testing.T) {
	t.Parallel()
	for _, digits := range []string{"0", "-7", "9007199254740993", strings.Repeat("8", 40)} {
		v, err := canon.Int(digits)
		require.NoError(t, err)
		require.Equal(t, digits, string(bytesOf(t, v)))
	}
	v, err := canon.Int("-0")
	require.NoError(t, err)
	require.Equal(t, "0", string(bytesOf(t, v)))

	for _, bad := range []string{"", "-", "+1", "01", "-01", "1.0", "1e2", " 1", "1 ", "--1", "1-", "٣", "0x1"} {
		_, err := canon.Int(bad)
		requireReason(t, canon.ReasonSyntax, err)
	}
	_, err = canon.Int(strings.Repeat("8", 41))
	requireReason(t, canon.ReasonNumberRange, err)
}

// TestUntypedNumbers shows what happens to numbers that no schema has typed.
func TestUntypedNumbers(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"-0":                       "0",
		"-0.0":                     "0",
		"1.0":                      "1",
		"1e2":                      "100",
		"9007199254740993":         "9007199254740993",
		"9007199254740993.0":       "9007199254740992",
		"1000000000000000000000":   "1000000000000000000000",
		"1e21":                     "1e+21",
		"1e20":                     "100000000000000000000",
		"590295810358705651712":    "590295810358705651712",
		"5.90295810358705651712e2": "590.2958103587057",
		"0.000001":                 "0.000001",
		"0.0000001":                "1e-7",
	}
	for literal, want := range tests {
		t.Run(literal, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, canonical(t, literal))
		})
	}
	_, err := canon.Bytes(parse(t, strings.Repeat("9", 41)))
	requireReason(t, canon.ReasonNumberRange, err)
}

// TestFloatVectors holds the samples of RFC 8785, appendix B.
func TestFloatVectors(t *testing.T) {
	t.Parallel()
	tests := map[uint64]string{
		0x0000000000000000: "0",
		0x8000000000000000: "0",
		0x0000000000000001: "5e-324",
		0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308",
		0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992",
		0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22",
		0x44b52d02c7e14af6: "1e+23",
		0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000",
		0x444b1ae4d6e2ef4f: "999999999999999900000",
		0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0x41b3de4355555554: "333333333.33333325",
		0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334",
		0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333",
		0x43143ff3c1cb0959: "1424953923781206.2",
	}
	for bits, want := range tests {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			v, err := canon.Float(math.Float64frombits(bits))
			require.NoError(t, err)
			require.Equal(t, want, string(bytesOf(t, v)))
			require.Equal(t, want, canonical(t, want), "read back")
		})
	}
	for _, bits := range []uint64{0x7fffffffffffffff, 0x7ff0000000000000, 0xfff0000000000000} {
		_, err := canon.Float(math.Float64frombits(bits))
		requireReason(t, canon.ReasonNumberRange, err)
	}
}

// TestMillionFloats formats the first million numbers of the published ES6
// sequence and compares the published digest of "bits,number" lines: chosen
// doubles, then 2000 of the smallest normal ones, then pseudo-random ones.
func TestMillionFloats(t *testing.T) {
	t.Parallel()
	const (
		lines      = 1_000_000
		serial     = 2000
		wantDigest = "49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16"
	)
	chosen := chosenDoubles(t)
	random := randomDoubles()
	digest := sha256.New()
	var line []byte
	for i := range lines {
		var f float64
		switch {
		case i < len(chosen):
			f = chosen[i]
		case i < len(chosen)+serial:
			f = math.Float64frombits(1<<52 + uint64(i-len(chosen)))
		default:
			f = random()
		}
		v, err := canon.Float(f)
		require.NoError(t, err)
		line = strconv.AppendUint(line[:0], math.Float64bits(f), 16)
		line = append(line, ',')
		line, err = canon.Append(line, v)
		require.NoError(t, err)
		digest.Write(append(line, '\n'))
	}
	require.Equal(t, wantDigest, hex.EncodeToString(digest.Sum(nil)))
}

func chosenDoubles(t *testing.T) []float64 {
	t.Helper()
	file, err := os.Open("testdata/es6_doubles.txt")
	require.NoError(t, err)
	defer file.Close() //nolint:errcheck // It was only read.
	var doubles []float64
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		bits, err := strconv.ParseUint(lines.Text(), 16, 64)
		require.NoError(t, err)
		doubles = append(doubles, math.Float64frombits(bits))
	}
	require.NoError(t, lines.Err())
	return doubles
}

// randomDoubles returns the finite doubles, other than zero, found in a chain
// of SHA-256 digests.
func randomDoubles() func() float64 {
	var block [sha256.Size]byte
	var rest []byte
	return func() float64 {
		for {
			if len(rest) == 0 {
				block = sha256.Sum256(block[:])
				rest = block[:]
			}
			f := math.Float64frombits(binary.LittleEndian.Uint64(rest))
			rest = rest[8:]
			if f != 0 && !math.IsNaN(f) && !math.IsInf(f, 0) {
				return f
			}
		}
	}
}
