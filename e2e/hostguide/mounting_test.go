package hostguide_test

import (
	"net/netip"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/web"
)

// behindAProxy mounts a Studio as the guide does.
func behindAProxy(e *echo.Echo, app *studio.Studio, proxies []netip.Prefix) error {
	return web.Mount(e, app, web.Config{
		Prefix:         "/studio",                         // how your routes find it
		PublicURL:      "https://example.com/apps/studio", // how browsers see it
		TrustedProxies: proxies,                           // whose X-Forwarded-For counts; nobody's by default
	})
}

// TestMountingNeedsToKnowItsProxies holds that trusting everybody is refused.
func TestMountingNeedsToKnowItsProxies(t *testing.T) {
	t.Parallel()
	everybody := []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}
	require.ErrorContains(t, behindAProxy(echo.New(), &studio.Studio{}, everybody), "trusts everybody")
}
