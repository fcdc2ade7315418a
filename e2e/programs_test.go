package e2e_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

// TestProgramFollowsItsApproval asks, looks, redeems and looks again: the
// state is told at each point, and the token never.
func TestProgramFollowsItsApproval(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *e2e.Server) {
		support := s.Program("acme", "support@acme.test")
		me := support.Read("/acme/me").JSON(t)
		require.Equal(t, "acme", me["tenant"])
		require.Equal(t, true, me["may_author"])
		require.Equal(t, false, me["may_administer"])

		args := `{"args":{"message":"back at noon"}}`
		asked := support.Call("/acme/tools/fs_notify/requests", args).JSON(t)
		id, token := asked["id"].(string), asked["token"].(string)
		state := func(caller *e2e.Program) map[string]any {
			answer := caller.Read("/acme/approvals/" + id)
			require.Equal(t, http.StatusOK, answer.Status, answer.Body)
			require.NotContains(t, answer.Body, token)
			return answer.JSON(t)
		}
		require.Equal(t, "pending", state(support)["state"])
		require.Equal(t, "pending", state(s.Program("acme", "admin@acme.test"))["state"], "admins see it too")
		for tenant, email := range map[string]string{"acme": "viewer@acme.test", "globex": "admin@globex.test"} {
			stranger := s.Program(tenant, email).Read("/" + tenant + "/approvals/" + id)
			missing := s.Program(tenant, email).Read("/" + tenant + "/approvals/01a22fa1-942d-79ef-8bda-1a39c3d7a094")
			require.Equal(t, http.StatusNotFound, stranger.Status)
			require.Equal(t, missing.JSON(t)["message"], stranger.JSON(t)["message"], "unseen and absent answer alike")
		}
		decide(t, s.SignIn("admin@acme.test"), id, "approve")
		require.Equal(t, "approved", state(support)["state"])
		done := support.Call("/acme/tools/fs_notify/execute", args, "X-Approval-Token", token)
		require.Equal(t, http.StatusOK, done.Status, done.Body)
		ended := state(support)
		require.Equal(t, "consumed", ended["state"])
		require.Equal(t, "succeeded", ended["outcome"])
		require.Equal(t, "success", ended["result"].(map[string]any)["status"])

		read := support.Call("/acme/tools/fs_export/requests", `{}`)
		require.Equal(t, http.StatusBadRequest, read.Status, "a read needs no approval")
	})
}

// TestTextThatNoDatabaseTakes sends what one database stores and another
// refuses: both answer alike, before they are asked.
func TestTextThatNoDatabaseTakes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *e2e.Server) {
		admin := s.SignIn("admin@acme.test")
		conversation := talk(t, admin)
		for _, text := range []string{"a\x00b", "a\xffb"} {
			answer := admin.Post(admin.Home+"/sessions/"+conversation.id+"/messages", url.Values{"text": {text}})
			require.Equal(t, http.StatusBadRequest, answer.Status, "%q", text)
		}
		for _, path := range []string{"/agents/%00/chat", "/activity?outcome=%00", "/agents/%ff/rules", "/approvals/%00"} {
			require.Equal(t, http.StatusBadRequest, admin.Get(admin.Home+path).Status, path)
		}
		nowhere := admin.Get("/studio/t/%00")
		require.Equal(t, http.StatusForbidden, nowhere.Status)
		body := `{"args":{"message":"a\u0000b"}}`
		asked := s.Program("acme", "admin@acme.test").Call("/acme/tools/fs_notify/requests", body)
		require.Equal(t, http.StatusAccepted, asked.Status, "an argument is bytes, and may hold any character: %s", asked.Body)
	})
}
