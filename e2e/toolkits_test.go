package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

const (
	deskPath    = "/acme/agents/order-desk"
	noticesPath = deskPath + "/toolkits/fs_notify"
	mask        = "********"
)

func TestCatalogue(t *testing.T) {
	t.Parallel()
	s := start(t)
	acme := s.Program("acme", "admin@acme.test")
	answer := acme.Read("/acme/catalog/tools")
	require.Equal(t, http.StatusOK, answer.Status, answer.Body)
	listed := answer.JSON(t)
	require.EqualValues(t, 3, listed["count"])
	require.Nil(t, listed["next"])
	var slugs []any
	for _, tool := range listed["tools"].([]any) {
		entry := tool.(map[string]any)
		slugs = append(slugs, entry["slug"])
		require.Equal(t, "host", entry["source"])
		require.Equal(t, true, entry["tenant_bound"])
		require.NotEmpty(t, entry["description"])
		require.NotEmpty(t, entry["methods"])
	}
	require.Equal(t, []any{"fs_export", "fs_notify", "fs_orders"}, slugs)

	answer = acme.Read("/acme/toolkits/fs_notify/schema")
	require.Equal(t, http.StatusOK, answer.Status, answer.Body)
	properties := answer.JSON(t)["properties"].(map[string]any)
	require.Equal(t, true, properties["signing_key"].(map[string]any)["x-secret"])
	require.NotContains(t, answer.Body, "tenant\":", "server-managed names are in no method's schema")
	require.Contains(t, answer.JSON(t)["x-methods"], "fs_notify")

	require.Equal(t, http.StatusNotFound, acme.Read("/acme/toolkits/none/schema").Status)
	require.Equal(t, http.StatusForbidden, acme.Read("/globex/catalog/tools").Status)
	unknown := acme.Read("/acme/catalog/tools?colour=red")
	require.Equal(t, http.StatusBadRequest, unknown.Status)
	require.Equal(t, "invalid_request", unknown.JSON(t)["code"])
}

// TestToolkitSettings goes through the life of a toolkit's settings, with a
// secret that nobody ever sees again.
func TestToolkitSettings(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *e2e.Server) {
		const secret = "a-very-secret-signing-key"
		acme := s.Program("acme", "admin@acme.test")
		require.Equal(t, 409, acme.Read(noticesPath+"/options/channel").Status, "choices come from what is stored")

		saved := acme.Put(noticesPath, `{"params":{"channel":"office","signing_key":"`+secret+`"},"user_overridable":["sender"],"expected_version":1}`)
		require.Equal(t, http.StatusOK, saved.Status, saved.Body)
		require.Equal(t, map[string]any{"agent": "order-desk", "slug": "fs_notify", "persisted": true, "version": 2.0}, saved.JSON(t))

		shown := acme.Read(noticesPath)
		require.Equal(t, http.StatusOK, shown.Status, shown.Body)
		require.Equal(t, map[string]any{"channel": "office", "signing_key": mask}, shown.JSON(t)["params"])
		config := acme.Read(deskPath + "/toolkit-config")
		require.Equal(t, http.StatusOK, config.Status, config.Body)
		require.Equal(t, true, config.JSON(t)["editable"])
		require.Equal(t, []any{}, config.JSON(t)["unavailable"])
		require.Len(t, config.JSON(t)["toolkits"], 3)

		kept := acme.Put(noticesPath, `{"params":{"channel":"workshop","signing_key":"`+mask+`"}}`)
		require.Equal(t, http.StatusOK, kept.Status, kept.Body)
		require.Equal(t, map[string]any{"channel": "workshop", "signing_key": mask}, acme.Read(noticesPath).JSON(t)["params"])
		require.Equal(t, []any{"sender"}, acme.Read(noticesPath).JSON(t)["user_overridable"])

		options := acme.Read(noticesPath + "/options/channel")
		require.Equal(t, http.StatusOK, options.Status, options.Body)
		require.Contains(t, options.Body, `{"value":"dispatch","label":"Dispatch board"}`)
		require.NotContains(t, options.Body, "dock", "another tenant's channels")
		require.Equal(t, http.StatusNotFound, acme.Read(noticesPath+"/options/sender").Status)

		own := acme.Put(noticesPath+"/me", `{"params":{"sender":"Ada"}}`)
		require.Equal(t, http.StatusOK, own.Status, own.Body)
		require.Equal(t, map[string]any{
			"slug": "fs_notify", "overridable": []any{"sender"}, "params": map[string]any{"sender": "Ada"}, "configured": true,
		}, own.JSON(t))
		require.Equal(t, false, s.Program("acme", "support@acme.test").Read(noticesPath + "/me").JSON(t)["configured"], "it is the caller's own")
		require.Equal(t, false, acme.Delete(noticesPath + "/me").JSON(t)["configured"])

		for _, answer := range []e2e.Answer{
			saved, shown, config, kept, options, own, acme.Read("/acme/toolkits/fs_notify/schema"),
		} {
			require.NotContains(t, answer.Body, secret)
		}
		removed := acme.Delete(noticesPath + "?expected_version=3")
		require.Equal(t, http.StatusOK, removed.Status, removed.Body)
		require.Equal(t, http.StatusNotFound, acme.Read(noticesPath).Status)
		again := acme.Put(noticesPath, `{"params":{"signing_key":"`+mask+`"}}`)
		require.Equal(t, 422, again.Status, "what is deleted is not inherited")
		require.Equal(t, "invalid_params", again.JSON(t)["code"])
	})
}

// TestToolkitSettingsRefuse holds the order and the codes of refusals, and that
// none of them has an effect.
func TestToolkitSettingsRefuse(t *testing.T) {
	t.Parallel()
	s := start(t)
	admin := s.Program("acme", "admin@acme.test")
	viewer := s.Program("acme", "viewer@acme.test")
	globex := s.Program("globex", "admin@globex.test")
	orders := deskPath + "/toolkits/fs_orders"
	before := admin.Read(deskPath + "/toolkit-config").Body
	for _, c := range []struct {
		name   string
		do     func() e2e.Answer
		status int
		code   string
	}{
		{"an agent that is not there", func() e2e.Answer { return admin.Put("/acme/agents/none/toolkits/fs_orders", `{`) }, 404, "not_found"},
		{"another tenant's address", func() e2e.Answer { return globex.Put(orders, `{`) }, 403, "tenant_mismatch"},
		{"no manager, before the body", func() e2e.Answer { return viewer.Put(orders, `{`) }, 403, "not_manageable"},
		{"a bad body", func() e2e.Answer { return admin.Put(orders, `{`) }, 400, "invalid_json"},
		{"a name twice", func() e2e.Answer { return admin.Put(orders, `{"params":{"max_rows":1,"max_rows":2}}`) }, 400, "invalid_json"},
		{"an unknown member", func() e2e.Answer { return admin.Put(orders, `{"params":{},"tenant":"globex"}`) }, 422, "invalid_args"},
		{"no params", func() e2e.Answer { return admin.Put(orders, `{}`) }, 422, "invalid_args"},
		{"an unknown slug", func() e2e.Answer { return admin.Put(deskPath+"/toolkits/none", `{"params":{}}`) }, 404, "not_found"},
		{"the tenant", func() e2e.Answer { return admin.Put(orders, `{"params":{"Tenant":"globex"}}`) }, 422, "server_managed"},
		{"an unknown parameter", func() e2e.Answer { return admin.Put(orders, `{"params":{"colour":"red"}}`) }, 422, "invalid_params"},
		{"out of range", func() e2e.Answer { return admin.Put(orders, `{"params":{"max_rows":101}}`) }, 422, "invalid_params"},
		{"not whole", func() e2e.Answer { return admin.Put(orders, `{"params":{"max_rows":1.5}}`) }, 422, "invalid_params"},
		{"half a cent", func() e2e.Answer { return admin.Put(orders, `{"params":{"refund_limit":1.005}}`) }, 422, "invalid_params"},
		{"a stale version", func() e2e.Answer { return admin.Put(orders, `{"params":{"max_rows":5},"expected_version":7}`) }, 409, "version_conflict"},
		{"no version", func() e2e.Answer { return admin.Put(orders, `{"params":{},"expected_version":0}`) }, 400, "invalid_expected_version"},
		{"nothing is left to users", func() e2e.Answer { return admin.Put(orders+"/me", `{"params":{"max_rows":5}}`) }, 422, "not_overridable"},
		{"a version that is no number", func() e2e.Answer { return admin.Delete(orders + "?expected_version=x") }, 400, "invalid_expected_version"},
		{"an unknown query", func() e2e.Answer { return admin.Delete(orders + "?force=1") }, 400, "invalid_request"},
		{"choices for a viewer", func() e2e.Answer { return viewer.Read(noticesPath + "/options/channel") }, 403, "not_manageable"},
	} {
		answer := c.do()
		require.Equal(t, c.status, answer.Status, "%s: %s", c.name, answer.Body)
		require.Equal(t, c.code, answer.JSON(t)["code"], c.name)
	}
	out := admin.Put(orders, `{"params":{"max_rows":101}}`).JSON(t)["details"].(map[string]any)
	require.Equal(t, []any{map[string]any{"pointer": "/max_rows", "message": "must be at most 100"}}, out["issues"])
	managed := admin.Put(orders, `{"params":{"tenant":"globex"}}`).JSON(t)["details"].(map[string]any)
	require.Equal(t, []any{"tenant"}, managed["params"])
	require.Equal(t, before, admin.Read(deskPath+"/toolkit-config").Body)

	unseen, absent := globex.Read("/globex/agents/order-desk-2/toolkit-config"), globex.Read("/globex/agents/nothing/toolkit-config")
	require.Equal(t, withoutRequestID(absent), withoutRequestID(unseen))
}

// withoutRequestID is an answer's body without what differs in each.
func withoutRequestID(a e2e.Answer) string {
	body, _, _ := strings.Cut(a.Body, `"request_id"`)
	return body
}
