package auth

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func forwarded(t testing.TB, socket string, headers ...string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.RemoteAddr = socket
	for _, header := range headers {
		r.Header.Add("X-Forwarded-For", header)
	}
	return r
}

func TestClientOf(t *testing.T) {
	t.Parallel()
	trusted, err := TrustedProxies([]string{"10.0.0.0/8", "192.0.2.7", "2001:db8::/32"})
	require.NoError(t, err)
	for _, c := range []struct {
		socket  string
		headers []string
		want    string
	}{
		{"203.0.113.9:1", nil, "203.0.113.9"},
		{"203.0.113.9:1", []string{"198.51.100.1"}, "203.0.113.9"}, // nobody's proxy says so
		{"10.1.1.1:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"10.1.1.1:1", []string{"6.6.6.6, 198.51.100.1, 10.2.2.2"}, "198.51.100.1"}, // what is left of it came from outside
		{"10.1.1.1:1", []string{"6.6.6.6", "198.51.100.1"}, "198.51.100.1"},
		{"10.1.1.1:1", []string{"198.51.100.1, nonsense"}, "10.1.1.1"},
		{"10.1.1.1:1", []string{"10.3.3.3"}, "10.3.3.3"},
		{"[::ffff:10.1.1.1]:1", []string{"[2001:db8::1]:443, 192.0.2.7"}, "2001:db8::1"},
		{"@", []string{"198.51.100.1"}, "invalid IP"},
	} {
		require.Equal(t, c.want, clientOf(forwarded(t, c.socket, c.headers...), trusted).String(), "%v", c)
	}
	for _, bad := range []string{"", "x", "10.0.0.1/8", "0.0.0.0/0", "::/0", "fe80::1%eth0", "10.0.0.0/33"} {
		_, err := TrustedProxies([]string{bad})
		require.Error(t, err, bad)
	}
}

// TestNobodyOutsideChoosesTheirAddress puts anything before what the proxy saw.
func TestNobodyOutsideChoosesTheirAddress(t *testing.T) {
	t.Parallel()
	trusted, err := TrustedProxies([]string{"10.0.0.0/8"})
	require.NoError(t, err)
	rapid.Check(t, func(rt *rapid.T) {
		before := strings.NewReplacer("\r", "", "\n", "").Replace(rapid.String().Draw(rt, "before"))
		got := clientOf(forwarded(t, "10.0.0.1:1", before+", 198.51.100.1"), trusted)
		require.Equal(rt, "198.51.100.1", got.String())
		require.Equal(rt, "203.0.113.9", clientOf(forwarded(t, "203.0.113.9:1", before), trusted).String())
	})
}

// FuzzAddressOf holds that what is read as an address is one.
func FuzzAddressOf(f *testing.F) {
	for _, seed := range []string{"1.2.3.4", "1.2.3.4:5", "[::1]:2", "[::1]", "::1", "fe80::1%x", "[", "]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		addr := addressOf(text)
		if !addr.IsValid() {
			return
		}
		again, err := netip.ParseAddr(addr.String())
		require.NoError(t, err)
		require.Equal(t, addr, again)
		require.Empty(t, addr.Zone())
	})
}
