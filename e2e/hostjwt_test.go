package e2e_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

// TestTokensOfAnotherIssuer links a member to their account at an issuer, and
// calls with what the issuer signs.
func TestTokensOfAnotherIssuer(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	keys := filepath.Join(t.TempDir(), "jwks.json")
	require.NoError(t, os.WriteFile(keys, fmt.Appendf(nil,
		`{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","x":%q}]}`, base64.RawURLEncoding.EncodeToString(public)), 0o600))
	s := e2e.Start(t, os.Getenv(programVariable), "AGENTSTUDIO_JWT_ISSUER=https://id.example.test",
		"AGENTSTUDIO_JWT_AUDIENCE=agent-studio", "AGENTSTUDIO_JWT_JWKS="+keys)
	sign := func(subject, audience string) string {
		token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, jwt.MapClaims{
			"iss": "https://id.example.test", "aud": audience, "sub": subject, "exp": time.Now().Add(time.Hour).Unix(),
			"may_administer": true,
		})
		token.Header["kid"] = "k"
		text, err := token.SignedString(private)
		require.NoError(t, err)
		return text
	}
	caller := s.Program("acme", "viewer@acme.test")
	caller.Token = sign("ext-7", "agent-studio")
	require.Equal(t, http.StatusUnauthorized, caller.Read("/acme/me").Status, "an account that nobody has")
	_, err = s.Run("tenant", "link", "globex", "--user", "viewer@acme.test", "--subject", "ext-7")
	require.Error(t, err, "no member there")
	_, err = s.Run("tenant", "link", "acme", "--user", "viewer@acme.test", "--subject", "ext-7")
	require.NoError(t, err)
	me := caller.Read("/acme/me")
	require.Equal(t, http.StatusOK, me.Status, me.Body)
	require.Equal(t, false, me.JSON(t)["may_administer"], "rights are those of the membership")
	require.Equal(t, http.StatusForbidden, caller.Read("/globex/me").Status)
	require.Equal(t, http.StatusForbidden, caller.Call("/acme/tools/fs_export/execute", `{`).Status, "a viewer may not execute")
	caller.Token = sign("ext-7", "billing")
	require.Equal(t, http.StatusUnauthorized, caller.Read("/acme/me").Status)
}
