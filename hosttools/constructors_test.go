package hosttools_test

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

// TestConstructorThatHangs has one that waits for something: the others are
// registered nevertheless.
func TestConstructorThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := registry(map[string]hosttools.Constructor{
			"fs_hangs": func() (hosttools.Entry, error) {
				<-release
				return nil, nil
			},
			"fs_kit": toolkit(echo("say")),
		})
		require.Equal(t, []hosttools.Rejection{{
			Slug: "fs_hangs", Reason: "the constructor did not return within 5s; it must not wait for anything",
		}}, r.Rejections())
		_, ok := r.Group("fs_kit")
		require.True(t, ok)
		close(release)
	})
}

// TestRegistryInsideOfAConstructor registers a toolkit that looks at a registry
// while it is itself being registered.
func TestRegistryInsideOfAConstructor(t *testing.T) {
	t.Parallel()
	inner := map[string]hosttools.Constructor{"fs_inner": tool(echo("fs_inner"))}
	r := registry(map[string]hosttools.Constructor{"fs_outer": func() (hosttools.Entry, error) {
		if err := registry(inner).Err(); err != nil {
			return nil, err
		}
		return hosttools.Tool{Method: echo("fs_outer")}, nil
	}})
	require.NoError(t, r.Err())
	_, ok := r.Group("fs_inner")
	require.False(t, ok, "each registry has its own entries")
}

func TestManyRegistriesAtOnce(t *testing.T) {
	t.Parallel()
	host := hosttools.Host{
		Prefix: "fs_",
		Tools:  map[string]hosttools.Constructor{"fs_kit": configured[settings](), "fs_bad": nil},
		Config: map[string]map[string]any{"fs_kit": {"rows": 7}},
		App:    map[string]any{"ledger": ledger("main")},
		Legacy: []hosttools.Constructor{tool(echo("old"))},
		Logger: quiet(),
	}
	want := describe(hosttools.NewRegistry(host))
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			r := hosttools.NewRegistry(host)
			if len(r.Groups()) != 2 || len(r.Rejections()) != 1 {
				t.Errorf("got %d entries, %d refused", len(r.Groups()), len(r.Rejections()))
			}
			if got := describe(r); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	group.Wait()
}

// TestInstancesThatChange constructs what a registry would not have taken.
func TestInstancesThatChange(t *testing.T) {
	t.Parallel()
	type other struct{ hosttools.Rows }
	bound := hosttools.Toolkit{Prefix: "fs", TenantBound: true, Config: &settings{}, Methods: []hosttools.Method{echo("say")}}
	for name, tc := range map[string]struct {
		change func(*hosttools.Toolkit)
		want   string
	}{
		"no config":      {func(k *hosttools.Toolkit) { k.Config = nil }, "another Config than at registration"},
		"nil config":     {func(k *hosttools.Toolkit) { k.Config = (*settings)(nil) }, "another Config than at registration"},
		"other config":   {func(k *hosttools.Toolkit) { k.Config = &other{} }, "another Config than at registration"},
		"no pointer":     {func(k *hosttools.Toolkit) { k.Config = settings{} }, "another Config than at registration"},
		"remote methods": {func(k *hosttools.Toolkit) { k.Methods = []hosttools.Method{echo("say", hosttools.RunBy(&far{}))} }, "a remote executor for a tenant-bound toolkit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := false
			r := hosttools.NewRegistry(hosttools.Host{
				Prefix: "fs_", App: map[string]any{"ledger": ledger("main")},
				Tools: map[string]hosttools.Constructor{"fs_kit": func() (hosttools.Entry, error) {
					kit := bound
					kit.Config = &settings{}
					if changed {
						tc.change(&kit)
					}
					return kit, nil
				}},
			})
			require.NoError(t, r.Err())
			changed = true
			d, ok := r.Lookup("fs_say")
			require.True(t, ok)
			_, err := d.Construct(nil)
			require.ErrorContains(t, err, tc.want)
		})
	}
}
