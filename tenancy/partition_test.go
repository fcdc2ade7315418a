package tenancy_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

func TestPartitionOfRefuses(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"nothing":            "",
		"GLOBAL as stored":   "*",
		"GLOBAL in URLs":     tenancy.GlobalSegment,
		"dot":                ".",
		"parent":             "..",
		"path":               "a/b",
		"Windows path":       `a\b`,
		"escaped path":       "a%2fb",
		"query":              "a?b",
		"fragment":           "a#b",
		"upper case":         "Acme",
		"all upper case":     "ACME",
		"space":              "a b",
		"leading space":      " acme",
		"trailing space":     "acme ",
		"line break":         "acme\n",
		"zero byte":          "acme\x00",
		"dotted":             "acme.com",
		"quote":              "acme'--",
		"wildcard":           "acme*",
		"SQL wildcard":       "acme%",
		"leading dash":       "-acme",
		"leading underscore": "_acme",
		"64 characters":      strings.Repeat("a", 64),
		"long":               strings.Repeat("a", 1<<20),
		"Cyrillic а":         "\u0430cme",
		"full width":         "\uff41cme",
		"long s":             "acme\u017f",
		"Kelvin sign":        "\u212Aelvin",
		"dotless i":          "\u0131nitech",
		"combining accent":   "acme\u0301",
		"zero width space":   "ac\u200bme",
		"right to left":      "\u202eacme",
		"soft hyphen":        "ac\u00adme",
		"byte order mark":    "\ufeffacme",
		"not UTF-8":          "acme\xff",
	}
	for name, tenant := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.False(t, tenancy.ValidTenant(tenant))
			partition, err := tenancy.PartitionOf(tenant)
			require.Equal(t, models.CodeTenantRequired, models.CodeOf(err))
			require.True(t, partition.IsZero())
			if tenant != "*" {
				partition, err = tenancy.PartitionFromStored(tenant)
				require.Error(t, err)
				require.True(t, partition.IsZero())
			}
		})
	}
}

func TestPartitionOfAccepts(t *testing.T) {
	t.Parallel()
	for _, tenant := range []string{"a", "0", "acme", "acme-2", "a_b", "a-", "a_", "global", "null", strings.Repeat("z", 63)} {
		partition, err := tenancy.PartitionOf(tenant)
		require.NoError(t, err)
		require.False(t, partition.IsZero())
		require.Equal(t, tenant, partition.Stored())
		require.Equal(t, tenant, partition.Segment())
		require.Equal(t, tenant, partition.Tenant())
		require.NotEqual(t, tenancy.Global(), partition)
	}
}

func TestGlobalAndZeroPartitions(t *testing.T) {
	t.Parallel()
	global := tenancy.Global()
	require.False(t, global.IsZero())
	require.NotEmpty(t, global.Stored())
	require.Equal(t, tenancy.GlobalSegment, global.Segment())
	require.Empty(t, global.Tenant())
	require.False(t, tenancy.ValidTenant(global.Stored()), "no tenant can take GLOBAL's place")
	require.False(t, tenancy.ValidTenant(global.Segment()))
	back, err := tenancy.PartitionFromStored(global.Stored())
	require.NoError(t, err)
	require.Equal(t, global, back)

	var zero tenancy.Partition
	require.True(t, zero.IsZero())
	require.NotEqual(t, global, zero)
	_, err = tenancy.PartitionFromStored(zero.Stored())
	require.Equal(t, models.CodeTenantRequired, models.CodeOf(err))
}

func TestTenantNames(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`\A[a-z0-9][a-z0-9_-]{0,62}\z`)
	names := rapid.OneOf(
		rapid.StringMatching(`[a-z0-9][a-z0-9_-]{0,70}`), rapid.StringMatching(`[ -~]{0,5}`), rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		name := names.Draw(t, "name")
		valid := tenancy.ValidTenant(name)
		require.Equal(t, form.MatchString(name), valid)
		partition, err := tenancy.PartitionOf(name)
		require.Equal(t, valid, err == nil)
		if !valid {
			return
		}
		require.Equal(t, name, url.PathEscape(name), "a name needs no escaping in URLs")
		back, err := tenancy.PartitionFromStored(partition.Stored())
		require.NoError(t, err)
		require.Equal(t, partition, back)
	})
}
