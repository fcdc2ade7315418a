package e2e_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

// TestAgentsOverREST goes through the life of an agent as a program sees it.
func TestAgentsOverREST(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *e2e.Server) {
		support, admin := s.Program("acme", "support@acme.test"), s.Program("acme", "admin@acme.test")
		viewer, globex := s.Program("acme", "viewer@acme.test"), s.Program("globex", "admin@globex.test")
		const path = "/acme/agents/returns"

		made := support.Call("/acme/agents", `{"name":"returns","instructions":"Help with returns."}`)
		require.Equal(t, http.StatusCreated, made.Status, made.Body)
		item := made.JSON(t)
		for member, want := range map[string]any{
			"name": "returns", "title": "returns", "tenant": "acme", "version": 1.0, "visibility": "private",
			"allowed_groups": []any{}, "access": "owner", "can_manage": true, "llm": "offline-planner",
		} {
			require.Equal(t, want, item[member], member)
		}
		require.Equal(t, "Help with returns.", item["definition"].(map[string]any)["instructions"])
		require.Equal(t, "MEDIUM", item["definition"].(map[string]any)["effort"])

		require.Equal(t, http.StatusNotFound, viewer.Read(path).Status, "private is not for others")
		require.Equal(t, "admin", admin.Read(path).JSON(t)["access"])
		require.Equal(t, 1.0, viewer.Read("/acme/agents").JSON(t)["count"], "the demo's desk alone")
		require.Equal(t, 2.0, support.Read("/acme/agents").JSON(t)["count"])

		shared := support.Patch(path+"/visibility", `{"visibility":"tenant","expected_version":1}`)
		require.Equal(t, http.StatusOK, shared.Status, shared.Body)
		require.Equal(t, 2.0, shared.JSON(t)["version"])
		seen := viewer.Read(path).JSON(t)
		require.Equal(t, "tenant", seen["access"])
		require.Equal(t, false, seen["can_manage"])
		require.NotContains(t, seen, "definition", "what it is told is for those who manage it")

		changed := support.Patch(path, `{"title":"Returns","instructions":"","effort":"HIGH","tool_review":true,"expected_version":2}`)
		require.Equal(t, http.StatusOK, changed.Status, changed.Body)
		definition := changed.JSON(t)["definition"].(map[string]any)
		require.Equal(t, "Returns", definition["title"])
		require.Empty(t, definition["instructions"], "an empty text empties")
		require.Equal(t, "HIGH", definition["effort"])
		reset := support.Patch(path, `{"title":null,"effort":null,"tool_review":null}`).JSON(t)["definition"].(map[string]any)
		require.Equal(t, "returns", reset["title"], "null is the default")
		require.Equal(t, "MEDIUM", reset["effort"])
		require.Equal(t, false, reset["tool_review"])

		require.Equal(t, http.StatusOK, support.Patch(path+"/visibility", `{"visibility":"groups","allowed_groups":["support"]}`).Status)
		require.Equal(t, []any{"support"}, admin.Read(path).JSON(t)["allowed_groups"])
		require.Equal(t, http.StatusNotFound, viewer.Read(path).Status)
		require.Equal(t, []any{"support"}, support.Read("/acme/sharing/groups").JSON(t)["groups"])
		require.Equal(t, []any{}, viewer.Read("/acme/sharing/groups").JSON(t)["groups"])
		require.Equal(t, []any{"support"}, admin.Read("/acme/sharing/groups").JSON(t)["groups"])
		require.Equal(t, []any{}, globex.Read("/globex/sharing/groups").JSON(t)["groups"], "another tenant's groups")

		require.Equal(t, http.StatusConflict, support.Delete(path+"?expected_version=1").Status)
		gone := support.Delete(path)
		require.Equal(t, http.StatusOK, gone.Status, gone.Body)
		require.Equal(t, map[string]any{"name": "returns", "deleted": true}, gone.JSON(t))
		require.Equal(t, http.StatusNotFound, support.Read(path).Status)
		again := support.Call("/acme/agents", `{"name":"returns"}`)
		require.Equal(t, http.StatusCreated, again.Status, "its name is free")
		require.NotEqual(t, item["agent_id"], again.JSON(t)["agent_id"])
	})
}

// TestAgentsRefuse holds the order and the codes of refusals.
func TestAgentsRefuse(t *testing.T) {
	t.Parallel()
	s := start(t)
	support, admin := s.Program("acme", "support@acme.test"), s.Program("acme", "admin@acme.test")
	viewer, globex := s.Program("acme", "viewer@acme.test"), s.Program("globex", "admin@globex.test")
	before := admin.Read(deskPath).Body
	for _, c := range []struct {
		name   string
		answer e2e.Answer
		status int
		code   string
	}{
		{"no author, before the body", viewer.Call("/acme/agents", `{`), 403, "authoring_denied"},
		{"a bad body", support.Call("/acme/agents", `{`), 400, "invalid_json"},
		{"a list", support.Call("/acme/agents", `[]`), 422, "invalid_args"},
		{"a tenant in the body", support.Call("/acme/agents", `{"name":"x","tenant":"globex"}`), 422, "invalid_args"},
		{"an owner in the body", support.Call("/acme/agents", `{"name":"x","owner":"ada"}`), 422, "invalid_args"},
		{"a tenant in the query", support.Call("/acme/agents?tenant=globex", `{"name":"x"}`), 400, "invalid_request"},
		{"no name", support.Call("/acme/agents", `{}`), 400, "invalid_name"},
		{"a null name", support.Call("/acme/agents", `{"name":null}`), 400, "invalid_name"},
		{"a number for a name", support.Call("/acme/agents", `{"name":7}`), 422, "invalid_args"},
		{"the name of a page", support.Call("/acme/agents", `{"name":"new"}`), 400, "invalid_name"},
		{"a path for a name", support.Call("/acme/agents", `{"name":"../x"}`), 400, "invalid_name"},
		{"a taken name", support.Call("/acme/agents", `{"name":"order-desk"}`), 409, "name_taken"},
		{"an unknown model", support.Call("/acme/agents", `{"name":"x","llm":"none"}`), 422, "validation_error"},
		{"an unknown effort", support.Call("/acme/agents", `{"name":"x","effort":"medium"}`), 422, "validation_error"},
		{"an unknown visibility", support.Call("/acme/agents", `{"name":"x","visibility":"all"}`), 422, "invalid_visibility"},
		{"no groups", support.Call("/acme/agents", `{"name":"x","visibility":"groups","allowed_groups":[]}`), 422, "groups_required"},
		{"others' groups", support.Call("/acme/agents", `{"name":"x","visibility":"groups","allowed_groups":["sales"]}`), 422, "groups_not_allowed"},
		{"groups of numbers", support.Call("/acme/agents", `{"name":"x","allowed_groups":[1]}`), 422, "invalid_args"},
		{"misspelt filters", support.Read("/acme/agents?visibilty=private"), 400, "invalid_request"},
		{"filters that there are not", support.Read("/acme/agents?owner=me"), 400, "invalid_request"},
		{"a query of one agent", support.Read(deskPath + "?version=1"), 400, "invalid_request"},
		{"a query of groups", support.Read("/acme/sharing/groups?tenant=globex"), 400, "invalid_request"},
		{"an absent agent", admin.Patch("/acme/agents/none", `{`), 404, "not_found"},
		{"another tenant's address", globex.Patch(deskPath, `{`), 403, "tenant_mismatch"},
		{"no manager, before the body", viewer.Patch(deskPath, `{`), 403, "not_manageable"},
		{"no manager shares", viewer.Patch(deskPath+"/visibility", `{`), 403, "not_manageable"},
		{"no manager deletes", viewer.Delete(deskPath), 403, "not_manageable"},
		{"a new name", admin.Patch(deskPath, `{"name":"other"}`), 422, "name_immutable"},
		{"a title of numbers", admin.Patch(deskPath, `{"title":1}`), 422, "invalid_args"},
		{"an empty title", admin.Patch(deskPath, `{"title":""}`), 422, "validation_error"},
		{"a review of text", admin.Patch(deskPath, `{"tool_review":"yes"}`), 422, "invalid_args"},
		{"an unknown field", admin.Patch(deskPath, `{"system_prompt":"x"}`), 422, "invalid_args"},
		{"rules", admin.Patch(deskPath, `{"rules":[]}`), 422, "invalid_args"},
		{"a stale version", admin.Patch(deskPath, `{"title":"x","expected_version":9}`), 409, "version_conflict"},
		{"no version", admin.Patch(deskPath, `{"title":"x","expected_version":0}`), 400, "invalid_expected_version"},
		{"a version of text", admin.Patch(deskPath, `{"title":"x","expected_version":"1"}`), 400, "invalid_expected_version"},
		{"no visibility", admin.Patch(deskPath+"/visibility", `{}`), 422, "invalid_visibility"},
		{"a stale sharing", admin.Patch(deskPath+"/visibility", `{"visibility":"private","expected_version":9}`), 409, "version_conflict"},
		{"a stale deletion", admin.Delete(deskPath + "?expected_version=9"), 409, "version_conflict"},
		{"a deletion by another name", admin.Delete(deskPath + "?version=1"), 400, "invalid_request"},
	} {
		require.Equal(t, c.status, c.answer.Status, "%s: %s", c.name, c.answer.Body)
		require.Equal(t, c.code, c.answer.JSON(t)["code"], c.name)
	}
	require.Equal(t, before, admin.Read(deskPath).Body, "no refusal has an effect")
}

// TestShareInABrowser shares an agent in the dialog, sees what changes for
// others, and deletes it.
func TestShareInABrowser(t *testing.T) {
	t.Parallel()
	s := start(t)
	viewer := s.SignIn("viewer@acme.test")
	b := e2e.Browse(t, s)
	signIn(b, "admin@acme.test")
	openDesk(b)
	b.Click("a[data-dialog]")
	b.Sees("dialog[open]", "Who can see and test it")
	require.Equal(t, "sharing-title", e2e.Value[string](b, "document.activeElement.id"), "a screen reader begins at the title")
	wellMade(t, b, "01-dialog")
	b.Click("dialog input[value=private]")
	b.Click("dialog .form-end button")
	b.Sees("main", "Only its owner and admins can test it.")
	require.Equal(t, http.StatusNotFound, viewer.Get("/studio/t/acme/agents/order-desk/chat").Status)

	b.Click("input[name=visibility][value=groups]")
	b.Click("main .sharing .form-end button")
	b.Sees("main", "Choose at least one group")
	wellMade(t, b, "02-no-group")
	b.Click("input[name=groups][value=support]")
	b.Click("main .sharing .form-end button")
	b.Sees("main", "1 group, its owner and admins can test it.")
	wellMade(t, b, "03-groups")

	b.Click("section[aria-labelledby=delete-title] summary")
	wellMade(t, b, "04-delete")
	b.Click("#sure")
	b.Click("section[aria-labelledby=delete-title] .btn.danger")
	b.Sees("main", "Make the first agent")
	require.Equal(t, http.StatusNotFound, s.SignIn("support@acme.test").Get("/studio/t/acme/agents/order-desk/chat").Status)
}
