package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImportRulesRefuse plants one import per case, each of which the rules
// have to refuse.
func TestImportRulesRefuse(t *testing.T) {
	t.Parallel()
	for _, planted := range []struct{ importer, imported string }{
		{"models", "tenancy"},
		{"static", "models"},
		{"migrations", "models"},
		{"studio/canon", "models"},
		{"tenancy", "policy"},
		{"policy", "hosttools"},
		{"hosttools", "studio/canon"},
		{"hosttools/openapi", "studio/netguard"},
		{"views/chat", "studio/session"},
		{"views/ui", "tenancy"},
		{"studio/rules", "studio"},
		{"studio/rules", "studio/store"},
		{"studio/jobs", "studio/store/x"},
		{"studio/jobs", "web/respond"},
		{"studio/store", "views/ui"},
		{"studio/toolexec", "studio/engine"},
		{"studio/llm/openai", "studio/toolexec"},
		{"studio", "web"},
		{"web", "studio/store"},
		{"web/api", "studio/llm/openai"},
		{"web/pages", "gorm.io/gorm"},
		{"studio", "gorm.io/gorm/clause"},
		{"studio/jobs", "github.com/labstack/echo/v4"},
		{"cmd/agentstudio", "studio/store/storetest"},
		{"studio/llm", "testing"},
	} {
		t.Run(planted.importer+" imports "+planted.imported, func(t *testing.T) {
			t.Parallel()
			found := violations([]goPackage{{planted.importer, []string{planted.imported}}}, importRules())
			require.NotEmpty(t, found)
		})
	}
}

// TestImportRulesPermit holds the imports that the layout is made of.
func TestImportRulesPermit(t *testing.T) {
	t.Parallel()
	for _, p := range []goPackage{
		{"models", []string{"context", "github.com/google/uuid"}},
		{"tenancy", []string{"models", "net/http"}},
		{"policy", []string{"models", "tenancy", "github.com/casbin/casbin/v2"}},
		{"hosttools/sample", []string{"hosttools", "tenancy", "models"}},
		{"hosttools/hosttoolstest", []string{"hosttools", "testing", "studio/toolexec"}},
		{"views/chat", []string{"views/layout", "views/ui", "models", "static", "github.com/a-h/templ"}},
		{"studio/engine", []string{"studio/llm", "studio/rules", "studio/review", "studio/toolexec", "studio/session"}},
		{"studio/llm/openai", []string{"studio/llm", "studio/netguard"}},
		{"studio/store", []string{"gorm.io/gorm", "migrations", "studio/agents", "models"}},
		{"studio", []string{"studio/store", "studio/engine", "migrations", "studio/llm/openai"}},
		{"web/api", []string{"studio", "studio/agents", "studio/llm", "views/ui", "github.com/labstack/echo/v4"}},
		{"cmd/agentstudio", []string{"studio", "web", "hosttools/sample", "github.com/labstack/echo/v4"}},
	} {
		t.Run(p.path, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, violations([]goPackage{p}, importRules()))
		})
	}
}

func TestFolderCycle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		packages []goPackage
		want     []string
	}{
		"none": {packages: []goPackage{
			{"studio/engine", []string{"studio/llm", "hosttools"}},
			{"hosttools", []string{"models", "net/http"}},
			{"hosttools/hosttoolstest", []string{"studio/toolexec"}},
		}},
		"through a third": {
			packages: []goPackage{
				{"studio/engine", []string{"hosttools"}},
				{"hosttools", []string{"policy"}},
				{"policy/x", []string{"studio/canon"}},
			},
			want: []string{"hosttools", "policy", "studio", "hosttools"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, folderCycle(c.packages))
		})
	}
}
