package hosttools_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

// named constructs a toolkit with a prefix of its own.
func named(prefix string, methods ...hosttools.Method) hosttools.Constructor {
	return func() (hosttools.Entry, error) {
		return hosttools.Toolkit{Prefix: prefix, Methods: methods}, nil
	}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// record is what was logged.
type record struct {
	Level  string `json:"level"`
	Msg    string `json:"msg"`
	Slug   string `json:"slug"`
	Reason string `json:"reason"`
}

// logged registers a host and returns the registry and what it logged.
func logged(t *testing.T, host hosttools.Host, sets ...hosttools.Set) (*hosttools.Registry, []record) {
	t.Helper()
	var out bytes.Buffer
	host.Logger = slog.New(slog.NewJSONHandler(&out, nil))
	r := hosttools.NewRegistry(host, sets...)
	var records []record
	for line := range bytes.Lines(out.Bytes()) {
		var rec record
		require.NoError(t, json.Unmarshal(line, &rec))
		records = append(records, rec)
	}
	return r, records
}

func TestNothingIsShadowed(t *testing.T) {
	t.Parallel()
	r, records := logged(t, hosttools.Host{
		Prefix: "fs_",
		Tools: map[string]hosttools.Constructor{
			"fs_wiki": toolkit(echo("mine")), "fs_pack": toolkit(echo("mine")), "fs_Pack": toolkit(echo("third")),
			"fs_own": toolkit(echo("own")), "fs_OWN": toolkit(echo("other")),
		},
		Legacy: []hosttools.Constructor{
			named("FS_own", echo("walked")), named("old", echo("walked")), named("OLD", echo("again")), tool(echo("fs_wiki")),
		},
	},
		hosttools.Set{Origin: hosttools.OriginBuiltin, Tools: map[string]hosttools.Constructor{"fs_wiki": named("wiki", echo("read"))}},
		hosttools.Set{Origin: hosttools.OriginPackaged, Tools: map[string]hosttools.Constructor{
			"fs_pack": named("pack", echo("read")), "FS_WIKI": named("wiki2", echo("read")),
		}},
	)
	const taken = "; slugs differ in more than their case"
	require.Equal(t, []hosttools.Rejection{
		{Slug: "FS_WIKI", Reason: "the slug is taken by fs_wiki (builtin)" + taken},
		{Slug: "FS_own", Reason: "the slug is taken by fs_OWN (host)" + taken},
		{Slug: "OLD", Reason: "the slug is taken by old (walk)" + taken},
		{Slug: "fs_Pack", Reason: "the slug is taken by fs_pack (packaged)" + taken},
		{Slug: "fs_own", Reason: "the slug is taken by fs_OWN (host)" + taken},
		{Slug: "fs_pack", Reason: "the slug is taken by fs_pack (packaged)" + taken},
		{Slug: "fs_wiki", Reason: "the slug is taken by fs_wiki (builtin)" + taken},
		{Slug: "fs_wiki", Reason: "the slug is taken by fs_wiki (builtin)" + taken},
	}, r.Rejections())
	origins := map[string]hosttools.Origin{}
	for _, group := range r.Groups() {
		origins[group.Slug] = group.Origin
		require.Equal(t, group.Origin, group.Methods[0].Origin)
	}
	require.Equal(t, map[string]hosttools.Origin{
		"fs_wiki": hosttools.OriginBuiltin, "fs_pack": hosttools.OriginPackaged,
		"fs_OWN": hosttools.OriginHost, "old": hosttools.OriginWalk,
	}, origins)

	var refused []hosttools.Rejection
	for _, rec := range records {
		if rec.Level == "ERROR" {
			require.Equal(t, "a toolkit was refused", rec.Msg)
			refused = append(refused, hosttools.Rejection{Slug: rec.Slug, Reason: rec.Reason})
		}
	}
	require.ElementsMatch(t, r.Rejections(), refused, "each is logged once, with slug and reason")
}

// TestNamesOfOtherLayers has methods that models would take for those of an
// earlier layer.
func TestNamesOfOtherLayers(t *testing.T) {
	t.Parallel()
	r := hosttools.NewRegistry(hosttools.Host{
		Prefix: "fs_", Tools: map[string]hosttools.Constructor{"fs_kit": toolkit(echo("read"))},
		Legacy: []hosttools.Constructor{named("FS", echo("Read"))}, Logger: quiet(),
	}, hosttools.Set{Origin: hosttools.OriginBuiltin, Tools: map[string]hosttools.Constructor{"files": named("fs", echo("read"))}})
	require.Equal(t, []hosttools.Rejection{
		{Slug: "FS", Reason: `models would see the name "FS_Read" twice, of files and of FS`},
		{Slug: "fs_kit", Reason: `models would see the name "fs_read" twice, of files and of fs_kit`},
	}, r.Rejections())
}

func TestSetsOfOtherOrigins(t *testing.T) {
	t.Parallel()
	for _, origin := range []hosttools.Origin{"", hosttools.OriginHost, hosttools.OriginWalk} {
		r := hosttools.NewRegistry(hosttools.Host{Logger: quiet()},
			hosttools.Set{Origin: origin, Tools: map[string]hosttools.Constructor{"wiki": named("wiki", echo("read"))}})
		require.Empty(t, r.Groups())
		require.Equal(t, "wiki", r.Rejections()[0].Slug)
		require.Contains(t, r.Rejections()[0].Reason, "a set comes built in or packaged")
	}
}

func TestSetsNeedNoHostPrefix(t *testing.T) {
	t.Parallel()
	r := hosttools.NewRegistry(hosttools.Host{}, hosttools.Set{
		Origin: hosttools.OriginBuiltin, Tools: map[string]hosttools.Constructor{"wiki": named("wiki", echo("read"))},
	})
	require.NoError(t, r.Err())
	for _, prefix := range []string{"", "9", "the wiki"} {
		r := hosttools.NewRegistry(hosttools.Host{Logger: quiet()}, hosttools.Set{
			Origin: hosttools.OriginBuiltin, Tools: map[string]hosttools.Constructor{"wiki": named(prefix, echo("read"))},
		})
		require.ErrorContains(t, r.Err(), "must start with a letter or underscore")
	}
}

func TestLegacy(t *testing.T) {
	t.Parallel()
	r, records := logged(t, hosttools.Host{Legacy: []hosttools.Constructor{
		named("crm", echo("find")), tool(echo("export")), named("", echo("find")), nil, tool(hosttools.Method{}),
		named("bad name", echo("find")),
	}})
	require.Equal(t, []hosttools.Rejection{
		{Slug: "Legacy[2]", Reason: "it has no prefix that could be its slug; declare it in Host.Tools"},
		{Slug: "Legacy[3]", Reason: "the constructor is nil"},
		{Slug: "Legacy[4]", Reason: "it has no prefix that could be its slug; declare it in Host.Tools"},
		{Slug: "bad name", Reason: `the slug must start with a letter or underscore, and go on with letters, digits, "_" and "-", at most 64`},
	}, r.Rejections())
	warnings := 0
	for _, rec := range records {
		if rec.Level == "WARN" {
			require.Contains(t, rec.Msg, "Host.Legacy is deprecated")
			warnings++
		}
	}
	require.Equal(t, 1, warnings)
	require.Len(t, records, 1+4)

	find, ok := r.Lookup("crm_find")
	require.True(t, ok)
	require.Equal(t, "crm", find.Slug)
	require.Equal(t, hosttools.OriginWalk, find.Origin)
	require.Equal(t, hosttools.AccessWrite, find.Access, "walked entries are host code: undeclared is a write")
	export, ok := r.Find("export", "")
	require.True(t, ok)
	require.True(t, export.Standalone)

	_, records = logged(t, hosttools.Host{Prefix: "fs_", Tools: map[string]hosttools.Constructor{"fs_kit": toolkit(echo("say"))}})
	require.Empty(t, records, "nothing to say of a host that declares its tools")
}

func TestConfigOfNoEntry(t *testing.T) {
	t.Parallel()
	type rows struct{ hosttools.Rows }
	r, records := logged(t, hosttools.Host{
		Prefix: "fs_",
		Tools:  map[string]hosttools.Constructor{"fs_kit": configured[rows](), "fs_bad": nil},
		Config: map[string]map[string]any{
			"fs_kit": {"max_rows": 5}, "FS_Kit": {"max_rows": 6}, "fs_bad": {"max_rows": 7}, "fs_other": {}, "wiki": {"max_rows": 8},
		},
	}, hosttools.Set{Origin: hosttools.OriginBuiltin, Tools: map[string]hosttools.Constructor{"wiki": func() (hosttools.Entry, error) {
		return hosttools.Toolkit{Prefix: "wiki", Config: &rows{}, Methods: []hosttools.Method{echo("read")}}, nil
	}}})
	const unused = "there are config defaults for it, and no such entry"
	require.Equal(t, []hosttools.Rejection{
		{Slug: "FS_Kit", Reason: unused}, {Slug: "fs_bad", Reason: "the constructor is nil"}, {Slug: "fs_other", Reason: unused},
	}, r.Rejections())
	require.Len(t, records, 3)
	for slug, want := range map[string]string{"fs_kit": `{"max_rows":5}`, "wiki": `{"max_rows":8}`} {
		group, ok := r.Group(slug)
		require.True(t, ok)
		require.Equal(t, want, string(group.Config.Defaults))
	}
}

// TestShadowedDefaults declares an entry over a built-in one. Nothing of it
// reaches the built-in.
func TestShadowedDefaults(t *testing.T) {
	t.Parallel()
	type rows struct{ hosttools.Rows }
	wiki := hosttools.Set{Origin: hosttools.OriginBuiltin, Tools: map[string]hosttools.Constructor{"fs_wiki": func() (hosttools.Entry, error) {
		return hosttools.Toolkit{Prefix: "wiki", Config: &rows{}, Methods: []hosttools.Method{echo("read")}}, nil
	}}}
	host, err := hosttools.ParseHost("toolkits.yaml", []byte("prefix: fs_\ntools:\n  fs_wiki:\n    constructor: nothing\n    config: {bogus: 1}\n"), nil)
	require.NoError(t, err)
	host.Logger = quiet()
	r := hosttools.NewRegistry(host, wiki)
	group, ok := r.Group("fs_wiki")
	require.True(t, ok)
	require.Equal(t, hosttools.OriginBuiltin, group.Origin)
	require.Equal(t, "{}", string(group.Config.Defaults))
	require.Len(t, r.Rejections(), 1)
	require.Contains(t, r.Rejections()[0].Reason, "toolkits.yaml:3: ")
}

// TestRefusedBuiltinOfAFilesSlug has no line of the file: it is not the file's.
func TestRefusedBuiltinOfAFilesSlug(t *testing.T) {
	t.Parallel()
	host, err := hosttools.ParseHost("toolkits.yaml", []byte("prefix: fs_\ntools: {fs_kit: kit}\n"),
		map[string]hosttools.Constructor{"kit": toolkit(echo("say"))})
	require.NoError(t, err)
	host.Logger = quiet()
	r := hosttools.NewRegistry(host, hosttools.Set{
		Origin: hosttools.OriginBuiltin, Tools: map[string]hosttools.Constructor{"fs_kit": nil},
	})
	require.Equal(t, []hosttools.Rejection{{Slug: "fs_kit", Reason: "the constructor is nil"}}, r.Rejections())
	group, ok := r.Group("fs_kit")
	require.True(t, ok, "nothing stands in its way")
	require.Equal(t, hosttools.OriginHost, group.Origin)
}

func TestMustRegistry(t *testing.T) {
	t.Parallel()
	host := hosttools.Host{Prefix: "fs_", Logger: quiet(), Tools: map[string]hosttools.Constructor{
		"fs_kit": toolkit(echo("say")), "fs_nil": nil, "crm_kit": toolkit(echo("x")),
	}}
	defer func() {
		said, ok := recover().(string)
		require.True(t, ok)
		require.Equal(t, "hosttools: crm_kit: the slug must start with the host's prefix \"fs_\" and go on\n"+
			"fs_nil: the constructor is nil", said)
	}()
	require.NotNil(t, hosttools.MustRegistry(hosttools.Host{
		Prefix: "fs_", Tools: map[string]hosttools.Constructor{"fs_kit": toolkit(echo("say"))},
	}))
	hosttools.MustRegistry(host)
	t.Error("it did not panic")
}

func TestErr(t *testing.T) {
	t.Parallel()
	r := registry(map[string]hosttools.Constructor{"fs_nil": nil, "fs_kit": toolkit(echo("say"))})
	var rejected hosttools.Rejection
	require.ErrorAs(t, r.Err(), &rejected)
	require.Equal(t, hosttools.Rejection{Slug: "fs_nil", Reason: "the constructor is nil"}, rejected)
	r.Rejections()[0].Slug = "changed"
	require.Equal(t, "fs_nil", r.Rejections()[0].Slug, "the slice is the caller's")
}
