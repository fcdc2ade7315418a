package hosttools_test

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

func TestPrefixRules(t *testing.T) {
	t.Parallel()
	const slugRule = "the slug must start with the host's prefix"
	const nameRule = "must start with a letter or underscore"
	for name, tc := range map[string]struct{ prefix, slug, want string }{
		"empty prefix":           {"", "fs_kit", `such as "fs_"`},
		"underscores only":       {"__", "__kit", `such as "fs_"`},
		"no trailing underscore": {"fs", "fs_kit", `such as "fs_"`},
		"another prefix":         {"fs_", "crm_kit", slugRule},
		"other case":             {"fs_", "FS_kit", slugRule},
		"prefix inside":          {"fs_", "my_fs_kit", slugRule},
		"nothing after prefix":   {"fs_", "fs_", slugRule},
		"no underscore":          {"fs_", "fskit", slugRule},
		"digit first":            {"1_", "1_kit", nameRule},
		"dash first":             {"-_", "-_kit", nameRule},
		"dot":                    {"fs_", "fs_the.kit", nameRule},
		"control character":      {"fs_", "fs_kit\x00", nameRule},
		"space":                  {"fs_", "fs_ kit", nameRule},
		"look-alike letter":      {"fs_", "fs_kіt", nameRule},
		"too long":               {"fs_", "fs_" + strings.Repeat("k", 62), "at most 64"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := hosttools.NewRegistry(hosttools.Host{
				Prefix: tc.prefix, Tools: map[string]hosttools.Constructor{tc.slug: toolkit(echo("say"))},
			})
			require.Empty(t, r.Groups())
			require.Len(t, r.Rejections(), 1)
			require.Contains(t, r.Rejections()[0].Reason, tc.want)
		})
	}
}

func TestToolkitPrefixMustBeTheHosts(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "fs_", "FS", "crm"} {
		reason := rejection(t, func() (hosttools.Entry, error) {
			return hosttools.Toolkit{Prefix: prefix, Methods: []hosttools.Method{echo("say")}}, nil
		})
		require.Contains(t, reason, `must be "fs", the host's without its underscores`)
	}
}

func TestConstructorsThatDoNotConstruct(t *testing.T) {
	t.Parallel()
	var none *hosttools.Toolkit
	for name, tc := range map[string]struct {
		build hosttools.Constructor
		want  string
	}{
		"nil":                     {nil, "the constructor is nil"},
		"error":                   {func() (hosttools.Entry, error) { return nil, errors.New("no licence") }, "the constructor failed: no licence"},
		"panic":                   {func() (hosttools.Entry, error) { panic("boom") }, "the constructor panicked: boom"},
		"nothing":                 {func() (hosttools.Entry, error) { return nil, nil }, "the constructor returned nothing"},
		"nil pointer":             {func() (hosttools.Entry, error) { return none, nil }, "the constructor returned nothing"},
		"not a panic of an error": {func() (hosttools.Entry, error) { panic(struct{ n int }{7}) }, "the constructor panicked: {7}"},
		"panic with nothing":      {func() (hosttools.Entry, error) { panic(nil) }, "the constructor panicked"},
		"end of its goroutine":    {func() (hosttools.Entry, error) { runtime.Goexit(); return nil, nil }, "the constructor ended its goroutine"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, rejection(t, tc.build), tc.want)
		})
	}
}

func TestConstructorThatFailsLater(t *testing.T) {
	t.Parallel()
	healthy := true
	r := registry(map[string]hosttools.Constructor{"fs_kit": func() (hosttools.Entry, error) {
		if !healthy {
			return nil, errors.New("no licence")
		}
		return hosttools.Toolkit{Prefix: "fs", Methods: []hosttools.Method{echo("say")}}, nil
	}})
	healthy = false
	d, ok := r.Find("fs_kit", "say")
	require.True(t, ok)
	_, err := d.Construct(nil)
	require.ErrorContains(t, err, "no licence")
}

func TestMethodNames(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		build hosttools.Constructor
		want  string
	}{
		"none":              {toolkit(), "it offers no methods"},
		"zero method":       {toolkit(hosttools.Method{}), "make methods with NewMethod"},
		"empty":             {toolkit(echo("")), "a method has no name"},
		"dot":               {toolkit(echo("say.it")), `the name "fs_say.it" must start with a letter`},
		"look-alike letter": {toolkit(echo("ѕay")), "must start with a letter"},
		"too long":          {toolkit(echo(strings.Repeat("s", 62))), "at most 64"},
		"twice":             {toolkit(echo("say"), echo("say")), `two methods are named "say"`},
		"twice, case":       {toolkit(echo("say"), echo("Say")), `two methods are named "Say"`},
		"standalone, case":  {tool(echo("fs_Kit")), "must be named as its slug"},
		"standalone":        {tool(echo("say")), "must be named as its slug"},
		"standalone, empty": {tool(echo("")), "a method has no name"},
		"no function": {
			toolkit(hosttools.NewMethod[textIn, textOut]("say", "Say it.", nil)), "has no function",
		},
		"no description": {
			toolkit(hosttools.NewMethod("say", " ", whoAmI)), "has no description",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, rejection(t, tc.build), tc.want)
		})
	}
}

func TestNamesThatModelsWouldSeeTwice(t *testing.T) {
	t.Parallel()
	r := registry(map[string]hosttools.Constructor{
		"fs_a":     toolkit(echo("say"), echo("only_a")),
		"fs_b":     toolkit(echo("only_b"), echo("say")),
		"fs_c":     toolkit(echo("SAY")),
		"fs_say":   tool(echo("fs_say")),
		"fs_other": tool(echo("fs_other")),
	})
	require.Equal(t, []hosttools.Rejection{
		{Slug: "fs_b", Reason: `models would see the name "fs_say" twice, of fs_a and of fs_b`},
		{Slug: "fs_c", Reason: `models would see the name "fs_SAY" twice, of fs_a and of fs_c`},
		{Slug: "fs_say", Reason: `models would see the name "fs_say" twice, of fs_a and of fs_say`},
	}, r.Rejections())
	d, ok := r.Lookup("fs_say")
	require.True(t, ok)
	require.Equal(t, "fs_a", d.Slug)
	_, ok = r.Lookup("fs_only_b")
	require.False(t, ok, "a refused entry offers nothing")
}

func TestLookups(t *testing.T) {
	t.Parallel()
	r := registry(map[string]hosttools.Constructor{
		"fs_zoo": toolkit(echo("walk", hosttools.Read()), echo("bark")),
		"fs_ask": tool(echo("fs_ask")),
	})
	groups := r.Groups()
	require.Equal(t, []string{"fs_ask", "fs_zoo"}, []string{groups[0].Slug, groups[1].Slug})
	require.Equal(t, []string{"fs_bark", "fs_walk"}, []string{groups[1].Methods[0].Name, groups[1].Methods[1].Name})
	require.True(t, groups[0].Standalone)
	require.False(t, groups[1].Standalone)

	for name, tc := range map[string]struct {
		slug, method string
		want         string
	}{
		"method":                  {"fs_zoo", "walk", "fs_walk"},
		"standalone":              {"fs_ask", "", "fs_ask"},
		"standalone, named":       {"fs_ask", "fs_ask", "fs_ask"},
		"toolkit without method":  {"fs_zoo", "", ""},
		"unknown method":          {"fs_zoo", "fly", ""},
		"unknown slug":            {"fs_nil", "walk", ""},
		"slug in another case":    {"FS_Zoo", "walk", "fs_walk"},
		"method in another case":  {"fs_zoo", "Walk", ""},
		"look-alike slug":         {"f\u017f_zoo", "walk", ""},
		"look-alike Kelvin":       {"fs_as\u212a", "", ""},
		"model name is no method": {"fs_zoo", "fs_walk", ""},
	} {
		d, ok := r.Find(tc.slug, tc.method)
		require.Equal(t, tc.want != "", ok, name)
		if ok {
			require.Equal(t, tc.want, d.Name, name)
		}
	}
	groups[0].Slug, groups[1].Methods[0] = "changed", nil
	again, ok := r.Group("FS_ASK")
	require.True(t, ok, "the slice of groups is the caller's")
	require.Equal(t, "fs_ask", again.Slug)
	zoo, ok := r.Group("fs_zoo")
	require.True(t, ok)
	require.Equal(t, "fs_bark", zoo.Methods[0].Name, "the slice of methods is the caller's")
	zoo.Methods[1] = nil
	_, ok = r.Find("fs_zoo", "walk")
	require.True(t, ok)
}

func TestConcurrentReads(t *testing.T) {
	t.Parallel()
	r := registry(map[string]hosttools.Constructor{"fs_kit": toolkit(echo("say"))})
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			d, ok := r.Lookup("fs_say")
			if !ok {
				t.Error("the method is gone")
				return
			}
			instance, err := d.Construct(nil)
			if err != nil {
				t.Error(err)
				return
			}
			out, err := instance.Call(t.Context(), d.Method, []byte(`{"text":"hello"}`), nil)
			if err != nil || string(out) != `{"text":"hello"}` {
				t.Errorf("got %s, %v", out, err)
			}
		})
	}
	group.Wait()
}
