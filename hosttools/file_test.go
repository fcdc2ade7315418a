package hosttools_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

// fileConfig has a parameter of every kind that a file can set.
type fileConfig struct {
	Text  string             `json:"text,omitempty"`
	Count int64              `json:"count,omitempty"`
	Big   uint64             `json:"big,omitempty"`
	Share float64            `json:"share,omitempty"`
	On    bool               `json:"on,omitempty"`
	Maybe *int               `json:"maybe,omitempty"`
	List  []string           `json:"list,omitempty"`
	Map   map[string]int     `json:"map,omitempty"`
	Place struct{ X, Y int } `json:"place,omitzero"`
}

func keys() map[string]hosttools.Constructor {
	return map[string]hosttools.Constructor{
		"orders": configured[fileConfig](), "export": tool(echo("fs_export")), "nothing": nil,
	}
}

func TestFileIsTheGoValue(t *testing.T) {
	t.Parallel()
	fromFile, err := hosttools.ParseHost("toolkits.yaml", []byte(`# What the program offers.
prefix: fs_
tools:
  fs_export: export
  "fs_orders":
    config:
      text: 'no'          # text, in quotes or not
      count: -9007199254740993
      big: 18446744073709551615
      share: 1.0
      on: true
      maybe: null
      list: [yes, "1", "2024-01-01"]
      map: {a: 1, "b": 0x10}
      place: {X: 1, Y: -2}
    constructor: orders
`), keys())
	require.NoError(t, err)
	config := map[string]any{
		"text": "no", "count": int64(-9007199254740993), "big": uint64(18446744073709551615), "share": 1.0, "on": true,
		"maybe": nil, "list": []string{"yes", "1", "2024-01-01"}, "map": map[string]int{"a": 1, "b": 16},
		"place": map[string]int{"X": 1, "Y": -2},
	}
	inGo := hosttools.Host{
		Prefix: "fs_", Config: map[string]map[string]any{"fs_orders": config},
		Tools: map[string]hosttools.Constructor{"fs_export": keys()["export"], "fs_orders": keys()["orders"]},
	}
	want, got := hosttools.NewRegistry(inGo), hosttools.NewRegistry(fromFile)
	require.NoError(t, want.Err())
	require.NoError(t, got.Err())
	require.Equal(t, describe(want), describe(got))
	orders, ok := got.Group("fs_orders")
	require.True(t, ok)
	require.Equal(t, `{"big":18446744073709551615,"count":-9007199254740993,"list":["yes","1","2024-01-01"],`+
		`"map":{"a":1,"b":16},"maybe":null,"on":true,"place":{"X":1,"Y":-2},"share":1,"text":"no"}`, string(orders.Config.Defaults))
}

// TestRejectionsOfAFile has entries that are wrong by themselves: the others
// are registered, and each reason says where.
func TestRejectionsOfAFile(t *testing.T) {
	t.Parallel()
	host, err := hosttools.ParseHost("toolkits.yaml", []byte(`prefix: fs_
tools:
  fs_export: export
  fs_gone: refunds
  fs_none: {config: {}}
  fs_nil: nothing
  crm_orders: orders
  FS_EXPORT: export
  fs_empty: ""
  fs_orders:
    constructor: orders
    config:
      cuont: 1
`), keys())
	require.NoError(t, err)
	r, records := logged(t, host)
	require.Equal(t, []hosttools.Rejection{
		{Slug: "FS_EXPORT", Reason: `toolkits.yaml:8: the slug must start with the host's prefix "fs_" and go on`},
		{Slug: "crm_orders", Reason: `toolkits.yaml:7: the slug must start with the host's prefix "fs_" and go on`},
		{Slug: "fs_empty", Reason: `toolkits.yaml:9: it names no constructor; the program has: export, nothing, orders`},
		{Slug: "fs_gone", Reason: `toolkits.yaml:4: there is no constructor "refunds"; the program has: export, nothing, orders`},
		{Slug: "fs_nil", Reason: `toolkits.yaml:6: the constructor is nil`},
		{Slug: "fs_none", Reason: `toolkits.yaml:5: it names no constructor; the program has: export, nothing, orders`},
		{Slug: "fs_orders", Reason: `toolkits.yaml:10: its Config: there is a default for "cuont", which is no parameter`},
	}, r.Rejections())
	require.Len(t, r.Groups(), 1)
	require.Len(t, records, len(r.Rejections()))

	host, err = hosttools.ParseHost("f.yaml", []byte("prefix: fs_\ntools: {fs_a: a}"), nil)
	require.NoError(t, err)
	host.Logger = quiet()
	require.EqualError(t, hosttools.NewRegistry(host).Err(), "fs_a: f.yaml:2: there is no constructor, because the program has none")
}

func TestFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	const head = "prefix: fs_\ntools:\n"
	deep := head + "  fs_a:\n    config: " + strings.Repeat("[", 40) + strings.Repeat("]", 40)
	for name, tc := range map[string]struct{ file, want string }{
		"empty":            {"", "f.yaml:1: the file is empty; it needs a prefix and tools"},
		"comment":          {"# nothing\n", "f.yaml:1: the file is empty"},
		"null":             {"null\n", "f.yaml:1: the file must be a mapping of names to values"},
		"list":             {"\n- a\n", "f.yaml:2: the file must be a mapping"},
		"text":             {"fs_", "f.yaml:1: the file must be a mapping"},
		"not YAML":         {"prefix: fs_\ntools: [\n", "f.yaml: not YAML: yaml: line"},
		"tab":              {"prefix: fs_\n\ttools: {}\n", "f.yaml: not YAML: yaml: line 2"},
		"not UTF-8":        {"prefix: \"\xff\"\n", "f.yaml: not YAML"},
		"two documents":    {head + "  fs_a: a\n---\nprefix: b_\n", "f.yaml:4: another document begins here; the file holds one"},
		"broken second":    {head + "  fs_a: a\n---\n[\n", "f.yaml: not YAML"},
		"too large":        {strings.Repeat("#", 1<<20+1), "f.yaml: the file is larger than 1048576 bytes"},
		"too deep":         {deep, "f.yaml:4: this is nested more than 32 deep"},
		"unknown field":    {"prefix: fs_\nTools: {}\n", `f.yaml:2: there is no field "Tools"; the fields are prefix and tools`},
		"twice":            {"prefix: fs_\ntools: {}\nprefix: b_\n", `f.yaml:3: "prefix" stands here again, after line 1`},
		"slug twice":       {head + "  fs_a: a\n  fs_b: b\n  \"fs_a\": c\n", `f.yaml:5: "fs_a" stands here again, after line 3`},
		"prefix number":    {"prefix: 7\n", "f.yaml:1: the prefix must be text"},
		"prefix list":      {"prefix: []\n", "f.yaml:1: the prefix must be text"},
		"prefix missing":   {"prefix:\ntools: {}\n", "f.yaml:1: the prefix must be text"},
		"tools missing":    {"prefix: fs_\ntools:\n", "f.yaml:2: tools must be a mapping"},
		"tools list":       {"prefix: fs_\ntools: [fs_a]\n", "f.yaml:2: tools must be a mapping"},
		"slug number":      {head + "  7: a\n", "f.yaml:3: a name must be text"},
		"slug list":        {head + "  ? [a]\n  : a\n", "f.yaml:3: a name must be text"},
		"slug null":        {head + "  ~: a\n", "f.yaml:3: a name must be text"},
		"entry number":     {head + "  fs_a: 7\n", "f.yaml:3: the constructor's key must be text"},
		"entry null":       {head + "  fs_a:\n", "f.yaml:3: the constructor's key must be text"},
		"entry list":       {head + "  fs_a: [a]\n", "f.yaml:3: the entry fs_a must be a mapping"},
		"entry field":      {head + "  fs_a:\n    constructor: a\n    params: {}\n", `f.yaml:5: there is no field "params"; the fields are constructor and config`},
		"constructor bool": {head + "  fs_a:\n    constructor: true\n", "f.yaml:4: the constructor's key must be text"},
		"config list":      {head + "  fs_a:\n    constructor: a\n    config: []\n", "f.yaml:5: config must be a mapping"},
		"config text":      {head + "  fs_a:\n    config: a\n", "f.yaml:4: config must be a mapping"},
		"config twice":     {head + "  fs_a:\n    config:\n      a: 1\n      b: {c: 1, c: 2}\n", `f.yaml:6: "c" stands here again`},
		"config key":       {head + "  fs_a:\n    config: {1: a}\n", "f.yaml:4: a name must be text"},
		"date":             {head + "  fs_a:\n    config: {since: 2024-01-01}\n", `f.yaml:4: the value "2024-01-01" is read as !!timestamp, which is no JSON; put it into quotes`},
		"binary":           {head + "  fs_a:\n    config: {b: !!binary aGk=}\n", "f.yaml:4: the value \"aGk=\" is read as !!binary"},
		"own tag":          {head + "  fs_a:\n    config: {b: !env HOME}\n", `f.yaml:4: the value "HOME" is read as !env`},
		"wrong tag":        {head + "  fs_a:\n    config: {b: !!int many}\n", "f.yaml:"},
		"alias":            {head + "  fs_a: &a x\n  fs_b: *a\n", "f.yaml:3: anchors and aliases are not supported; write the value out"},
		"anchor":           {head + "  fs_a:\n    config: &c {a: 1}\n", "f.yaml:4: anchors and aliases"},
		"merge":            {head + "  fs_a:\n    <<: {constructor: a}\n", "f.yaml:4: a name must be text"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host, err := hosttools.ParseHost("f.yaml", []byte(tc.file), keys())
			require.ErrorContains(t, err, tc.want)
			require.Empty(t, host)
		})
	}
}

// FuzzParseHost reads whatever bytes: nothing panics, and the same bytes give
// the same registry or the same error.
func FuzzParseHost(f *testing.F) {
	for _, seed := range []string{
		"prefix: fs_\ntools:\n  fs_export: export\n  fs_orders:\n    constructor: orders\n    config: {count: 1, list: [a]}\n",
		"prefix: fs_\ntools: {fs_a: &a x, fs_b: *a}", "a: !!binary x\n", "---\n---\n", "? [a]\n: b", "<<: {a: b}", "\xff\xfe", "%YAML 1.1\n---\n{}",
		"prefix: fs_\ntools: {fs_orders: {constructor: orders, config: {share: .inf, big: 1e400, map: {a: 0o7}}}}",
	} {
		f.Add([]byte(seed))
	}
	read := func(data []byte) string {
		host, err := hosttools.ParseHost("f.yaml", data, keys())
		if err != nil {
			return err.Error()
		}
		host.Logger = quiet()
		return describe(hosttools.NewRegistry(host))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first := read(data)
		require.Equal(t, first, read(data))
	})
}
