package agents_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
)

func TestConfigure(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		s := exporting(t, db)
		first := configure(t, s, `{"region":"eu","max_rows":5.0,"account":9007199254740993,"api_key":"s3cret-key"}`)
		require.Equal(t, 2, first.Number)
		require.Equal(t, []string{"fs_export"}, first.Definition.Toolkits)
		require.Equal(t, "fs_export", first.Definition.Rules[0].Toolkit)
		require.Equal(t, "Set up fs_export: account, api_key (secret), max_rows, region", first.Note)
		view := shown(t, s)
		require.JSONEq(t, `{"region":"eu","max_rows":5,"account":9007199254740993,"api_key":"********"}`, text(t, view.Params))
		require.Contains(t, text(t, view.Params), "9007199254740993", "digit for digit")
		require.True(t, view.Stored)
		require.Equal(t, 1, view.Revision)
		require.Empty(t, view.Issues)

		same := configure(t, s, `{"account":9007199254740993,"max_rows":5,"region":"eu","api_key":"********"}`)
		require.Equal(t, first.Number, same.Number, "nothing changed")
		require.Equal(t, 1, shown(t, s).Revision)

		second := configure(t, s, `{"region":"us","api_key":"********"}`, "folder", "token", "folder")
		require.Equal(t, 3, second.Number)
		require.Equal(t, "Set up fs_export: account, max_rows, region, what each user may set", second.Note)
		require.Len(t, second.Definition.Toolkits, 1)
		view = shown(t, s)
		require.JSONEq(t, `{"region":"us","api_key":"********"}`, text(t, view.Params), "it is replaced whole")
		require.Equal(t, []string{"folder", "token"}, view.UserOverridable)

		third := configure(t, s, `{"region":"eu","api_key":"********"}`)
		require.Equal(t, "Set up fs_export: region", third.Note)
		require.Equal(t, []string{"folder", "token"}, shown(t, s).UserOverridable, "nil keeps them")
	})
}

func TestConfigureWithoutAnythingToSet(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	ctx := as(t, owner())
	v, err := s.Configure(ctx, "desk", "FS_Orders", agents.Change{Params: value(t, "{}")})
	require.NoError(t, err)
	require.Equal(t, "Assigned fs_orders", v.Note)
	require.Equal(t, []string{"fs_orders"}, v.Definition.Toolkits, "as it is registered")
	again, err := s.Configure(ctx, "desk", "fs_orders", agents.Change{Params: value(t, "{}")})
	require.NoError(t, err)
	require.Equal(t, v.Number, again.Number)
	view, err := s.Toolkit(ctx, "desk", "FS_ORDERS")
	require.NoError(t, err)
	require.False(t, view.Stored)
	require.Equal(t, "{}", text(t, view.Params))

	_, err = s.Configure(ctx, "desk", "fs_orders", agents.Change{Params: value(t, `{"x":1}`)})
	require.Equal(t, map[string]string{"/x": "is not known here"}, issuesOf(t, err))
	_, err = s.Configure(ctx, "desk", "fs_orders", agents.Change{Params: value(t, `{"Tenant_ID":1}`)})
	require.Equal(t, []string{"Tenant_ID"}, paramsOf(t, models.CodeServerManaged, err))
}

// TestWhatConfigureRefuses also requires that nothing was stored, and that no
// secret is in the answer.
func TestWhatConfigureRefuses(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	big := strings.Repeat("x", 8<<10)
	for name, c := range map[string]struct {
		params      string
		overridable []string
		want        map[string]string // what is said of each place
	}{
		"no object":                    {`[]`, nil, map[string]string{"": "must be an object", "/region": "is missing", "/api_key": "is missing"}},
		"null":                         {`null`, nil, map[string]string{"": "must be an object", "/region": "is missing", "/api_key": "is missing"}},
		"nothing":                      {`{}`, nil, map[string]string{"/region": "is missing", "/api_key": "is missing"}},
		"an empty required secret":     {`{"region":"eu","api_key":""}`, nil, map[string]string{"/api_key": "is missing"}},
		"a removed secret":             {`{"region":"eu","api_key":null}`, nil, map[string]string{"/api_key": "is missing"}},
		"a mask of nothing":            {`{"region":"eu","api_key":"********"}`, nil, map[string]string{"/api_key": "has no stored value to keep"}},
		"a secret that is a number":    {`{"region":"eu","api_key":70707070}`, nil, map[string]string{"/api_key": "must be text"}},
		"a large secret":               {`{"region":"eu","api_key":"` + big + `x"}`, nil, map[string]string{"/api_key": "may have at most 8192 bytes"}},
		"an unreadable secret":         {`{"region":"eu","api_key":"s3cret\u0000"}`, nil, map[string]string{"/api_key": "holds a control character"}},
		"an unknown choice":            {`{"region":"mars","api_key":"s3cret"}`, nil, map[string]string{"/region": "must be"}},
		"null for text":                {`{"region":null,"api_key":"s3cret"}`, nil, map[string]string{"/region": "must be"}},
		"a fraction of a row":          {`{"region":"eu","max_rows":1.5,"api_key":"s3cret"}`, nil, map[string]string{"/max_rows": "must be"}},
		"an integer beyond its type":   {`{"region":"eu","account":9223372036854775808,"api_key":"s3cret"}`, nil, map[string]string{"/account": "must be"}},
		"an unknown name":              {`{"region":"eu","regions":1,"api_key":"s3cret"}`, nil, map[string]string{"/regions": "is not known here"}},
		"another case":                 {`{"Region":"eu","api_key":"s3cret"}`, nil, map[string]string{"/Region": "is not known here", "/region": "is missing"}},
		"a nested one that is missing": {`{"region":"eu","filter":{},"api_key":"s3cret"}`, nil, map[string]string{"/filter/status": "is missing"}},
		"unreadable text":              {`{"region":"eu","folder":"a\u202eb","api_key":"s3cret"}`, nil, map[string]string{"/folder": "holds a control character"}},
		"unreadable text inside":       {`{"region":"eu","labels":{"a\u0007":"b"},"api_key":"s3cret"}`, nil, map[string]string{"/labels": "holds a control character"}},
		"unreadable text of a list":    {`{"region":"eu","only":["a","\u2066"],"api_key":"s3cret"}`, nil, map[string]string{"/only": "holds a control character"}},
		"too much":                     {`{"region":"eu","folder":"` + strings.Repeat(big, 8) + `","api_key":"s3cret"}`, nil, map[string]string{"": "may have at most 65536 bytes"}},
		"an override of nothing":       {valid, []string{"folder", "nothing"}, map[string]string{"/user_overridable/1": "must name"}},
		"an override of the server's":  {valid, []string{"build"}, map[string]string{"/user_overridable/0": "must name"}},
		"all at once":                  {`{"max_rows":0,"api_key":"********"}`, nil, map[string]string{"/max_rows": "must be", "/api_key": "has no stored", "/region": "is missing"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{
				Params: value(t, c.params), UserOverridable: c.overridable, ExpectedVersion: 99,
			})
			found := issuesOf(t, err)
			require.Len(t, found, len(c.want), "%v", found)
			for pointer, message := range c.want {
				require.Contains(t, found[pointer], message, pointer)
			}
			require.NotContains(t, err.Error(), "s3cret")
			require.NotContains(t, err.Error(), "7070")
			item, err := s.Get(as(t, owner()), "desk")
			require.NoError(t, err)
			require.Equal(t, 1, item.Agent.Version)
		})
	}
}

func TestLimitsOfParams(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	rest := len(`{"folder":"","region":"eu"}`)
	configure(t, s, `{"region":"eu","folder":"`+strings.Repeat("x", 64<<10-rest)+`","api_key":"`+strings.Repeat("k", 8<<10)+`"}`)
	_, err := s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{
		Params: value(t, `{"region":"eu","folder":"`+strings.Repeat("x", 64<<10-rest+1)+`","api_key":"k"}`),
	})
	require.Contains(t, issuesOf(t, err), "")
}

// TestServerManagedComesFirst asks for every spelling.
func TestServerManagedComesFirst(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	_, err := s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{
		Params: value(t, `{"LEDGER":1,"region":"mars","build":"8","Tenant":"globex","tenant_id":"globex"}`), ExpectedVersion: 99,
	})
	require.Equal(t, []string{"LEDGER", "Tenant", "build", "tenant_id"}, paramsOf(t, models.CodeServerManaged, err))
}

// TestTheOrderOfRefusals takes one obstacle away at a time.
func TestTheOrderOfRefusals(t *testing.T) {
	t.Parallel()
	db := newStore(t)
	r := registry(t, "fs_orders", "fs_export")
	s := service(t, db, r, policy.Tooling{TenantToolkits: map[string][]string{"acme": {"fs_export"}}})
	create(t, s, owner())
	denied := owner()
	denied.MayAuthor = false
	bad := agents.Change{Params: value(t, `{"build":1,"region":"mars"}`), UserOverridable: []string{"nothing"}, ExpectedVersion: 99}
	for _, c := range []struct {
		scope tenancy.Scope
		slug  string
		do    agents.Change
		want  models.Code
	}{
		{stranger(), "fs_gone", bad, models.CodeNotFound},
		{peer(), "fs_gone", bad, models.CodeNotManageable},
		{denied, "fs_gone", bad, models.CodeAuthoringDenied},
		{owner(), "fs_gone", bad, models.CodeNotFound},
		{owner(), "fs_orders", bad, models.CodeToolingNotPermitted},
		{owner(), "fs_export", bad, models.CodeServerManaged},
		{owner(), "fs_export", agents.Change{Params: value(t, `{}`), ExpectedVersion: 99}, models.CodeInvalidParams},
		{owner(), "fs_export", agents.Change{Params: value(t, valid), UserOverridable: []string{"x"}, ExpectedVersion: 99}, models.CodeInvalidParams},
		{owner(), "fs_export", agents.Change{Params: value(t, valid), ExpectedVersion: 99}, models.CodeVersionConflict},
		{owner(), "fs_export", agents.Change{Params: value(t, valid), ExpectedVersion: 1}, ""},
	} {
		_, err := s.Configure(as(t, c.scope), "desk", c.slug, c.do)
		require.Equal(t, c.want, models.CodeOf(err), "%s %s: %v", c.scope.User, c.slug, err)
	}
	_, err := s.Configure(t.Context(), "desk", "fs_export", agents.Change{})
	require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
}

// TestRequiredCanBeLeftToEachUser leaves the key to them.
func TestRequiredCanBeLeftToEachUser(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	configure(t, s, `{"region":"eu"}`, "api_key")
	view := shown(t, s)
	require.Len(t, view.Issues, 1)
	require.Equal(t, "/api_key", view.Issues[0].Pointer)
}

func TestWithoutAKeyNothingIsStored(t *testing.T) {
	t.Parallel()
	s := serviceWith(t, newStore(t), registry(t, "fs_export"), policy.Tooling{}, closedBox{})
	create(t, s, owner())
	_, err := s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{Params: value(t, valid)})
	require.Equal(t, models.CodeVaultUnavailable, models.CodeOf(err))
	item, err := s.Get(as(t, owner()), "desk")
	require.NoError(t, err)
	require.Equal(t, 1, item.Agent.Version)
	require.Empty(t, item.Live.Definition.Toolkits)
}

func TestRemoveToolkit(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		s := exporting(t, db)
		ctx := as(t, owner())
		configure(t, s, valid, "folder")
		require.NoError(t, s.SaveOverride(as(t, member()), "desk", "fs_export", value(t, `{"folder":"mine"}`)))

		_, err := s.RemoveToolkit(ctx, "desk", "fs_export", 1)
		require.Equal(t, models.CodeVersionConflict, models.CodeOf(err))
		_, err = s.RemoveToolkit(as(t, peer()), "desk", "fs_export", 0)
		require.Equal(t, models.CodeNotManageable, models.CodeOf(err))
		_, err = s.RemoveToolkit(ctx, "desk", "fs_orders", 0)
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		v, err := s.RemoveToolkit(ctx, "desk", "FS_EXPORT", 0)
		require.NoError(t, err)
		require.Empty(t, v.Definition.Toolkits)
		require.Equal(t, "Removed fs_export", v.Note)

		configure(t, s, valid, "folder")
		require.Equal(t, 1, shown(t, s).Revision, "it starts anew")
		view, err := s.Override(as(t, member()), "desk", "fs_export")
		require.NoError(t, err)
		require.False(t, view.Configured, "what is assigned anew inherits nothing")
	})
}

// TestSettingsEndWithTheAssignment takes the toolkit away by an ordinary edit.
func TestSettingsEndWithTheAssignment(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	ctx := as(t, owner())
	v := configure(t, s, valid)
	v, err := s.Edit(ctx, "desk", v.Number, "n", func(d *models.Definition) error {
		d.Toolkits, d.Rules = nil, nil
		return nil
	})
	require.NoError(t, err)
	_, err = s.Assign(ctx, "desk", v.Number, "fs_export")
	require.NoError(t, err)
	require.False(t, shown(t, s).Stored)
}

func TestAssignKnowsSlugsAsRegistered(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	v, err := s.Assign(as(t, owner()), "desk", 1, "FS_ORDERS")
	require.NoError(t, err)
	require.Equal(t, []string{"fs_orders"}, v.Definition.Toolkits)
	_, err = s.Assign(as(t, owner()), "desk", 2, "Fs_Orders")
	requireField(t, "toolkits", err)
}

// closedBox seals and opens nothing.
type closedBox struct{}

func (closedBox) Seal(context.Context, string, []byte, ...string) ([]byte, error) {
	return nil, vault.ErrNoKey
}

func (closedBox) Open(context.Context, string, []byte, ...string) ([]byte, error) {
	return nil, vault.ErrNoKey
}

func (closedBox) Fresh(context.Context, string, []byte) (bool, error) { return true, nil }

// failing opens nothing, and not because of what is sealed.
type failing struct{ closedBox }

func (failing) Fresh(context.Context, string, []byte) (bool, error) { return false, nil }

func (failing) Open(context.Context, string, []byte, ...string) ([]byte, error) {
	return nil, errors.New("the database is away")
}

// TestAKeptSecretIsNotKeptBlindly saves nothing where it cannot be known whether a
// kept secret is sealed with a key that stays.
func TestAKeptSecretIsNotKeptBlindly(t *testing.T) {
	t.Parallel()
	db := newStore(t)
	configure(t, exporting(t, db), valid)
	s := serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, failing{})
	_, err := s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{
		Params: value(t, `{"region":"us","api_key":"`+agents.Mask+`"}`),
	})
	require.Equal(t, models.CodeVaultUnavailable, models.CodeOf(err))
}
