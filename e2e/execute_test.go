package e2e_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/vault"
)

func TestExecuteReadsAndRefusesWrites(t *testing.T) {
	t.Parallel()
	s := start(t)
	acme := s.Program("acme", "admin@acme.test")

	read := acme.Call("/acme/tools/fs_export/execute", `{"args":{"status":"pending"}}`)
	require.Equal(t, http.StatusOK, read.Status, read.Body)
	answer := read.JSON(t)
	require.Equal(t, "success", answer["status"])
	require.Equal(t, false, answer["truncated"])
	require.Contains(t, answer, "metadata")
	require.Contains(t, read.Body, "A-1002")

	require.Equal(t, http.StatusOK, acme.Call("/acme/tools/fs_export/execute", `{}`).Status, "args may be left out")
	require.Equal(t, http.StatusOK, acme.Call("/acme/tools/fs_orders.get_order/execute", `{"args":{"order_id":"A-1002"}}`).Status)

	for _, slug := range []string{"fs_notify", "fs_orders.cancel_order"} {
		write := acme.Call("/acme/tools/"+slug+"/execute", `{"args":{"message":"hello"}}`)
		require.Equal(t, http.StatusForbidden, write.Status, write.Body)
		require.Equal(t, "confirmation_required", write.JSON(t)["code"])
		require.Equal(t, map[string]any{"reason": "no_approval"}, write.JSON(t)["details"])
	}
	require.Contains(t, acme.Call("/acme/tools/fs_orders.get_order/execute", `{"args":{"order_id":"A-1002"}}`).Body, "pending")
}

// TestExecuteBadInput holds the order and the shape of refusals: each has a
// code, a sentence, and no effect.
func TestExecuteBadInput(t *testing.T) {
	t.Parallel()
	s := start(t)
	acme := s.Program("acme", "admin@acme.test")
	viewer := s.Program("acme", "viewer@acme.test")
	deep := strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70)

	for _, c := range []struct {
		name   string
		who    *e2e.Program
		path   string
		body   string
		status int
		code   string
	}{
		{"no right to author comes before a bad body", viewer, "/acme/tools/nothing/execute", `{`, 403, "authoring_denied"},
		{"a bad body comes before an unknown slug", acme, "/acme/tools/nothing/execute", `{`, 400, "invalid_json"},
		{"an unknown slug", acme, "/acme/tools/nothing/execute", `{"args":{}}`, 404, "not_found"},
		{"an unknown method", acme, "/acme/tools/fs_orders.drop/execute", `{"args":{}}`, 404, "not_found"},
		{"a toolkit is not a tool", acme, "/acme/tools/fs_orders/execute", `{"args":{}}`, 404, "not_found"},
		{"a duplicate key", acme, "/acme/tools/fs_export/execute", `{"args":{"status":"pending","status":"shipped"}}`, 400, "invalid_json"},
		{"a case-variant key beside its own", acme, "/acme/tools/fs_export/execute", `{"args":{"status":"pending","STATUS":"shipped"}}`, 422, "invalid_args"},
		{"a case-variant key alone", acme, "/acme/tools/fs_export/execute", `{"args":{"Status":"pending"}}`, 422, "invalid_args"},
		{"an unknown argument", acme, "/acme/tools/fs_export/execute", `{"args":{"colour":"red"}}`, 422, "invalid_args"},
		{"an unknown member beside args", acme, "/acme/tools/fs_export/execute", `{"args":{},"tenant":"globex"}`, 422, "invalid_args"},
		{"a wrong type", acme, "/acme/tools/fs_orders.list_orders/execute", `{"args":{"max_rows":"ten"}}`, 422, "invalid_args"},
		{"a fraction for a whole number", acme, "/acme/tools/fs_orders.list_orders/execute", `{"args":{"max_rows":1.5}}`, 422, "invalid_args"},
		{"a number out of range", acme, "/acme/tools/fs_orders.list_orders/execute", `{"args":{"max_rows":100000}}`, 422, "invalid_args"},
		{"a missing argument", acme, "/acme/tools/fs_orders.get_order/execute", `{"args":{}}`, 422, "invalid_args"},
		{"null for text", acme, "/acme/tools/fs_orders.get_order/execute", `{"args":{"order_id":null}}`, 422, "invalid_args"},
		{"args that are no object", acme, "/acme/tools/fs_export/execute", `{"args":[1]}`, 422, "invalid_args"},
		{"a server-managed name", acme, "/acme/tools/fs_export/execute", `{"args":{"tenant":"globex"}}`, 422, "server_managed"},
		{"bad UTF-8", acme, "/acme/tools/fs_export/execute", "{\"args\":{\"status\":\"\xff\"}}", 400, "invalid_json"},
		{"a lone surrogate", acme, "/acme/tools/fs_export/execute", `{"args":{"status":"\ud800"}}`, 400, "invalid_json"},
		{"too deep", acme, "/acme/tools/fs_export/execute", `{"args":` + deep + `}`, 400, "invalid_json"},
		{"trailing data", acme, "/acme/tools/fs_export/execute", `{"args":{}} {}`, 400, "invalid_json"},
		{"2 MB", acme, "/acme/tools/fs_export/execute", `{"args":{"status":"` + strings.Repeat("x", 2<<20) + `"}}`, 413, "body_too_large"},
		{"another tenant's address", acme, "/globex/tools/fs_export/execute", `{"args":{}}`, 403, "tenant_mismatch"},
		{"a tenant that does not exist", acme, "/nowhere/tools/fs_export/execute", `{"args":{}}`, 403, "tenant_mismatch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			answer := c.who.Call(c.path, c.body)
			require.Equal(t, c.status, answer.Status, answer.Body)
			problem := answer.JSON(t)
			require.Equal(t, c.code, problem["code"])
			require.NotEmpty(t, problem["message"])
			require.NotEmpty(t, problem["request_id"])
			require.Contains(t, problem, "details")
		})
	}

	compressed := acme.Call("/acme/tools/fs_export/execute", `{}`, "Content-Encoding", "gzip")
	require.Equal(t, http.StatusUnsupportedMediaType, compressed.Status, compressed.Body)
	form := acme.Call("/acme/tools/fs_export/execute", `a=b`, "Content-Type", "application/x-www-form-urlencoded")
	require.Equal(t, http.StatusUnsupportedMediaType, form.Status, form.Body)
}

func TestExecuteNeedsAValidToken(t *testing.T) {
	t.Parallel()
	s := start(t)
	good := s.Program("acme", "admin@acme.test").Token
	key, err := vault.LoadKey(filepath.Join(s.Data, "master.key"))
	require.NoError(t, err)
	expired := issued(t, key, time.Now().Add(-2*time.Hour))
	early := issued(t, key, time.Now().Add(2*time.Hour))
	_, err = s.Run("token", "--tenant", "globex", "--user", "admin@acme.test")
	require.ErrorContains(t, err, "permission_denied", "no token for a tenant the user does not belong to")

	parts := strings.Split(good, ".")
	for name, token := range map[string]string{
		"none": "", "expired": expired, "issued in the future": early, "garbage": "abc", "a cut signature": good[:len(good)-4],
		"another payload": parts[0] + "." + parts[1] + "x." + parts[2], "an unsigned header": "eyJhbGciOiJub25lIn0." + parts[1] + ".",
		"dots": strings.Repeat(".", 10_000),
	} {
		caller := s.Program("acme", "admin@acme.test")
		caller.Token = token
		answer := caller.Call("/acme/tools/fs_export/execute", `{"args":{}}`)
		require.Equal(t, http.StatusUnauthorized, answer.Status, name)
		require.Equal(t, "unauthenticated", answer.JSON(t)["code"], name)
	}
}

// issued returns a token that the server's own key signed, at another time.
func issued(t *testing.T, key vault.MasterKey, at time.Time) string {
	t.Helper()
	tokens := identity.NewTokens(key.Derive(vault.PurposeTokens), func() time.Time { return at })
	token, err := tokens.IssueAPI(identity.APIToken{
		ID: models.NewID(), User: identity.UserID("admin@acme.test"), Tenant: "acme", ExpiresAt: at.Add(time.Hour),
	})
	require.NoError(t, err)
	return token
}

// TestRedeemOnce asks for an approval over REST, lets a person approve it in a
// browser session, and races 500 redeems of its token.
func TestRedeemOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *e2e.Server) {
		const racers = 500
		program := s.Program("acme", "admin@acme.test")
		args := `{"args":{"message":"the depot is closed on Friday","recipient":"team@acme.test"}}`
		asked := program.Call("/acme/tools/fs_notify/requests", args)
		require.Equal(t, http.StatusAccepted, asked.Status, asked.Body)
		id, token := asked.JSON(t)["id"].(string), asked.JSON(t)["token"].(string)

		early := program.Call("/acme/tools/fs_notify/execute", args, "X-Approval-Token", token)
		require.Equal(t, http.StatusConflict, early.Status, early.Body)
		require.Equal(t, "approval_pending", early.JSON(t)["code"])

		admin := s.SignIn("admin@acme.test")
		decide(t, admin, id, "approve")

		other := program.Call("/acme/tools/fs_notify/execute", `{"args":{"message":"something else"}}`, "X-Approval-Token", token)
		require.Equal(t, http.StatusForbidden, other.Status, other.Body)
		require.Contains(t, other.Body, "arguments_mismatch")
		stranger := s.Program("acme", "support@acme.test").Call("/acme/tools/fs_notify/execute", args, "X-Approval-Token", token)
		require.Equal(t, http.StatusForbidden, stranger.Status, stranger.Body)
		require.Equal(t, "token_invalid", stranger.JSON(t)["code"])

		counts := race(racers, func() string {
			answer := program.Call("/acme/tools/fs_notify/execute", args, "X-Approval-Token", token)
			return fmt.Sprintf("%d %v%v", answer.Status, answer.JSON(t)["status"], answer.JSON(t)["code"])
		})
		require.Equal(t, map[string]int{"200 success<nil>": 1, "409 <nil>approval_consumed": racers - 1}, counts)
		require.Equal(t, 1, strings.Count(orders(t, s, "acme"), "the depot is closed on Friday"), "the host sent one notice")
	})
}

// race runs f n times at once and counts what it returned.
func race(n int, f func() string) map[string]int {
	var mu sync.Mutex
	var group sync.WaitGroup
	counts := map[string]int{}
	begin := make(chan struct{})
	for range n {
		group.Go(func() {
			<-begin
			got := f()
			mu.Lock()
			defer mu.Unlock()
			counts[got]++
		})
	}
	close(begin)
	group.Wait()
	return counts
}
