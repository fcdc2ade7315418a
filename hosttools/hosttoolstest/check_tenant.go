package hosttoolstest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/agentstudio/agentstudio/models"
)

// tenantRefused reports a method that takes a tenant from its arguments.
func (s *suite) tenantRefused(ctx context.Context, t *tool) []problem {
	for _, name := range []string{"tenant", "Tenant", "tenant_id"} {
		args := maps.Clone(t.args)
		if args == nil {
			args = map[string]any{}
		}
		args[name] = s.tenants[1]
		raw, err := json.Marshal(args)
		if err == nil {
			_, err = s.preparer.Prepare(scoped(ctx, s.tenants[0]), request(t, raw))
		}
		if models.CodeOf(err) != models.CodeServerManaged {
			return []problem{{
				fmt.Sprintf("A call with %q among its arguments is not refused as server_managed; it ends with %q.",
					name, ending{err: err}.answer()),
				"Leave the tenant out of the schema; declare a field of type hosttools.TenantID with the tag `json:\"-\"`.",
			}}
		}
	}
	return nil
}
