package web_test

import "net/http"

// columns are the actors in the order of the tables below.
func columns() []string {
	return []string{
		"anonymous", "owner", "peer", "peer in g1", "peer once g1", "admin", "superuser", "member", "owner, no author",
		"other tenant", "other admin", "owner elsewhere", "no tenant", "disabled", "broken scope",
		wrongToken, expiredToken,
	}
}

// How far each actor gets with an agent of olga's in each state, by the rule of
// DESIGN, records and partitions: owns, administers, granted.
//
//	anonymous, owner, peer, in g1, once g1, admin, superuser, member, no author,
//	other tenant, other admin, owner elsewhere, no tenant, disabled, broken scope, wrong token, expired token
const agentGrades = `
private      | - m . . . m m . a M M M R D R T -
tenant       | - m s s s m m s a M M M R D R T -
groups       | - m . s . m m . a M M M R D R T -
foreign      | - . . . . . . . . M M M R D R T -
global       | - . . . . . . . . M M M R D R T -
missing      | - . . . . . . . . M M M R D R T -
malformed    | - . . . . . . . . M M M R D R T -
wrong tenant | - M M M M M M M M . . . R M R M -
`

// A conversation is its owner's alone, whatever its agent's sharing.
const sessionGrades = `
private      | - m . . . . . . m M M M R D R T -
tenant       | - m . . . . . . m M M M R D R T -
groups       | - m . . . . . . m M M M R D R T -
foreign      | - . . . . . . . . M M M R D R T -
global       | - . . . . . . . . M M M R D R T -
missing      | - . . . . . . . . M M M R D R T -
malformed    | - . . . . . . . . M M M R D R T -
wrong tenant | - M M M M M M M M . . . R M R M -
`

// An approval is seen by who asked, and by the admins of the tenant.
const approvalGrades = `
private      | - m . . . m m . m M M M R D R T -
tenant       | - m . . . m m . m M M M R D R T -
groups       | - m . . . m m . m M M M R D R T -
foreign      | - . . . . . . . . M M M R D R T -
global       | - . . . . . . . . M M M R D R T -
missing      | - . . . . . . . . M M M R D R T -
malformed    | - . . . . . . . . M M M R D R T -
wrong tenant | - M M M M M M M M . . . R M R M -
`

// Routes that address no record differ by who asks, and by the tenant of the
// address.
const plainGrades = `
tenant       | - m m m m m m m m M M M R D R T -
wrong tenant | - M M M M M M M M m m m R M R M -
`

// The paths of pages and of REST.
const (
	pagePath = "/studio/t/:tenant"
	restPath = "/studio/api/v1/:tenant"
)

// routes declares every route. What changes something is sent a body that the
// route refuses, so that a cell does not change what the next one finds; done is
// then the refusal of the body, which comes after those of the caller.
func routes() []matrixRoute {
	var all []matrixRoute
	all = append(all, tenantRoutes()...)
	all = append(all, agentRoutes()...)
	all = append(all, conversationRoutes()...)
	return append(all, approvalRoutes()...)
}

// outside declares the routes outside of any tenant. They address no record: the
// way to one's own tenant, and the files that pages load.
func outside() []string {
	var all []string
	for _, path := range []string{"/studio", "/studio/", "/studio/static/*"} {
		all = append(all, http.MethodGet+" "+path, http.MethodHead+" "+path)
	}
	return all
}

// shown declares a page, for GET and for HEAD.
func shown(path string, r matrixRoute) []matrixRoute {
	r.path, r.done = pagePath+path, http.StatusOK
	get, head := r, r
	get.method, head.method = http.MethodGet, http.MethodHead
	return []matrixRoute{get, head}
}

// onlyAuthors are the actors without the right to author, and what they get.
func onlyAuthors() map[string]int {
	return map[string]int{"member": http.StatusForbidden, "owner, no author": http.StatusForbidden}
}

// onlyAdmins are the actors that administer nothing, and what they get.
func onlyAdmins() map[string]int {
	refused := map[string]int{}
	for _, actor := range columns() {
		if actor != "admin" && actor != "superuser" && actor != "other admin" {
			refused[actor] = http.StatusForbidden
		}
	}
	return refused
}

// tenantRoutes address no record.
func tenantRoutes() []matrixRoute {
	var all []matrixRoute
	for _, path := range []string{"", "/", "/agents", "/approvals", "/tools"} {
		all = append(all, shown(path, matrixRoute{})...)
	}
	all = append(all, shown("/agents/new", matrixRoute{others: onlyAuthors()})...)
	all = append(all, shown("/activity", matrixRoute{others: onlyAdmins()})...)
	return append(all,
		matrixRoute{method: http.MethodPost, path: pagePath + "/agents", body: "name=", done: http.StatusUnprocessableEntity, others: onlyAuthors()},
		matrixRoute{method: http.MethodGet, path: restPath + "/me", forCatalogue: true, done: http.StatusOK},
		matrixRoute{method: http.MethodGet, path: restPath + "/agents", done: http.StatusOK},
		matrixRoute{method: http.MethodPost, path: restPath + "/agents", body: "{", done: http.StatusBadRequest, others: onlyAuthors()},
		matrixRoute{method: http.MethodGet, path: restPath + "/sharing/groups", done: http.StatusOK},
		matrixRoute{method: http.MethodGet, path: restPath + "/catalog/tools", forCatalogue: true, done: http.StatusOK},
		matrixRoute{method: http.MethodGet, path: restPath + "/toolkits/:slug/schema", forCatalogue: true, done: http.StatusOK},
		matrixRoute{method: http.MethodPost, path: restPath + "/tools/:slug/execute", body: "{", done: http.StatusBadRequest, others: onlyAuthors()},
		matrixRoute{method: http.MethodPost, path: restPath + "/tools/:slug/requests", body: "{", done: http.StatusBadRequest, others: onlyAuthors()},
	)
}

func agentRoutes() []matrixRoute {
	var all []matrixRoute
	for _, path := range []string{"/chat", "/instructions", "/rules", "/tools", "/tools/:slug", "/versions", "/sharing"} {
		all = append(all, shown("/agents/:agent"+path, matrixRoute{record: agents})...)
	}
	for _, route := range shown("/agents/:agent", matrixRoute{record: agents}) {
		route.done = http.StatusSeeOther
		all = append(all, route)
	}
	for _, route := range shown("/agents/:agent/tools/:slug/options/:param", matrixRoute{record: agents, changes: true}) {
		route.done = http.StatusConflict
		all = append(all, route)
	}
	for _, path := range []string{
		"/instructions", "/rules", "/rules/:rule/delete", "/tools/:slug", "/tools/:slug/assign", "/tools/:slug/unassign",
		"/sharing", "/delete",
	} {
		all = append(all, matrixRoute{
			method: http.MethodPost, path: pagePath + "/agents/:agent" + path, record: agents, changes: true, done: http.StatusBadRequest,
		})
	}
	all = append(all, matrixRoute{ // of a rule that is not there
		method: http.MethodPost, path: pagePath + "/agents/:agent/rules/:rule", record: agents, changes: true, done: http.StatusNotFound,
	})
	agent := restPath + "/agents/:agent"
	toolkit := agent + "/toolkits/:slug"
	return append(all,
		matrixRoute{method: http.MethodPost, path: pagePath + "/agents/:agent/sessions", record: agents, done: http.StatusSeeOther},
		matrixRoute{method: http.MethodPost, path: pagePath + "/agents/:agent/tools/:slug/me", record: agents, done: http.StatusSeeOther},
		matrixRoute{method: http.MethodPost, path: pagePath + "/agents/:agent/tools/:slug/me/delete", record: agents, done: http.StatusSeeOther},
		matrixRoute{method: http.MethodGet, path: agent, record: agents, done: http.StatusOK},
		matrixRoute{method: http.MethodPatch, path: agent, body: "{", record: agents, changes: true, done: http.StatusBadRequest},
		matrixRoute{method: http.MethodDelete, path: agent, query: "?expected_version=x", record: agents, changes: true, done: http.StatusBadRequest},
		matrixRoute{method: http.MethodPatch, path: agent + "/visibility", body: "{", record: agents, changes: true, done: http.StatusBadRequest},
		matrixRoute{method: http.MethodGet, path: agent + "/toolkit-config", record: agents, done: http.StatusOK},
		matrixRoute{method: http.MethodGet, path: toolkit, record: agents, done: http.StatusOK},
		matrixRoute{method: http.MethodPut, path: toolkit, body: "{", record: agents, changes: true, done: http.StatusBadRequest},
		matrixRoute{method: http.MethodDelete, path: toolkit, query: "?expected_version=x", record: agents, changes: true, done: http.StatusBadRequest},
		matrixRoute{method: http.MethodGet, path: toolkit + "/options/:param", record: agents, changes: true, done: http.StatusConflict},
		matrixRoute{method: http.MethodGet, path: toolkit + "/me", record: agents, done: http.StatusOK},
		matrixRoute{method: http.MethodPut, path: toolkit + "/me", body: "{", record: agents, done: http.StatusBadRequest},
		matrixRoute{method: http.MethodDelete, path: toolkit + "/me", record: agents, done: http.StatusOK},
	)
}

func conversationRoutes() []matrixRoute {
	all := shown("/agents/:agent/chat/:session", matrixRoute{record: sessions})
	return append(all,
		matrixRoute{method: http.MethodPost, path: pagePath + "/sessions/:session/messages", record: sessions, done: http.StatusUnprocessableEntity},
		matrixRoute{method: http.MethodPost, path: pagePath + "/sessions/:session/stop", record: sessions, done: http.StatusSeeOther},
		matrixRoute{method: http.MethodGet, path: pagePath + "/sessions/:session/events", record: sessions, done: http.StatusOK},
	)
}

func approvalRoutes() []matrixRoute {
	var all []matrixRoute
	for _, path := range []string{"", "/card"} {
		all = append(all, shown("/approvals/:approval"+path, matrixRoute{record: approvals})...)
	}
	for _, path := range []string{"/approve", "/deny"} {
		all = append(all, matrixRoute{
			method: http.MethodPost, path: pagePath + "/approvals/:approval" + path, record: approvals, done: http.StatusConflict,
		})
	}
	return append(all, matrixRoute{method: http.MethodGet, path: restPath + "/approvals/:id", record: approvals, done: http.StatusOK})
}
