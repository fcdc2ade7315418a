package e2e_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

// TestSetUpAToolkitInABrowser fills in the form of a toolkit, with a secret, and
// loads its choices.
func TestSetUpAToolkitInABrowser(t *testing.T) {
	t.Parallel()
	const secret = "a-very-secret-signing-key"
	s := start(t)
	b := e2e.Browse(t, s)
	signIn(b, "admin@acme.test")
	b.Open("/studio/t/acme/agents/order-desk/tools/fs_notify")
	wellMade(t, b, "01-empty")
	b.Type("input[name='param.sender']", "The desk")
	b.Type("input[name='param.signing_key']", secret)
	b.Click("input[name=user_overridable][value=sender]")
	b.Click("form.params button[type=submit]")
	b.Sees("main", "Saved as version 2")
	b.Click("a[href$='/options/channel']")
	b.Sees("main", "Workshop screen")
	wellMade(t, b, "02-saved")
	require.NotContains(t, e2e.Value[string](b, "document.documentElement.outerHTML"), secret)

	b.Open("/studio/t/acme/agents/order-desk/tools/fs_orders")
	b.Type("input[name='param.max_rows']", "1000")
	e2e.Value[bool](b, "document.querySelector('form.params').noValidate = true")
	b.Click("form.params button[type=submit]")
	b.Sees("main", "at most 100")
	wellMade(t, b, "03-wrong")

	saved := s.Program("acme", "admin@acme.test").Read(noticesPath)
	require.Equal(t, http.StatusOK, saved.Status)
	require.Equal(t, map[string]any{"sender": "The desk", "signing_key": mask}, saved.JSON(t)["params"])

	viewer := e2e.Browse(t, s)
	signIn(viewer, "viewer@acme.test")
	viewer.Open("/studio/t/acme/agents/order-desk/tools/fs_notify")
	viewer.Sees("main", "The desk")
	wellMade(t, viewer, "04-reader")
}
