package auth

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/studio/identity"
)

// clientKey is where a request's context has the client's address.
const clientKey = "agentstudio.client"

// Client returns middleware that finds out from which address a request comes,
// for [ClientIP]. Only these proxies are believed when they say so.
func Client(trusted []netip.Prefix) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Set(clientKey, clientOf(c.Request(), trusted))
			return next(c)
		}
	}
}

// ClientIP returns the address that a request comes from. It is not valid where
// that is not known, as on a Unix socket.
func ClientIP(c echo.Context) netip.Addr {
	if client, ok := c.Get(clientKey).(netip.Addr); ok {
		return client
	}
	return clientOf(c.Request(), nil)
}

// TrustedProxies reads networks such as "10.0.0.0/8", and single addresses.
func TrustedProxies(list []string) ([]netip.Prefix, error) {
	var trusted []netip.Prefix
	for _, text := range list {
		if addr, err := netip.ParseAddr(text); err == nil && addr.Zone() == "" {
			addr = addr.Unmap()
			trusted = append(trusted, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a network, such as 10.0.0.0/8", text)
		}
		trusted = append(trusted, network)
	}
	return trusted, CheckProxies(trusted)
}

// CheckProxies refuses networks that are none, with bits behind their mask, or in
// which everybody would be a proxy.
func CheckProxies(trusted []netip.Prefix) error {
	for _, network := range trusted {
		switch {
		case !network.IsValid(), network.Addr().Is4In6():
			return fmt.Errorf("the trusted proxies have %q, which is no network", network)
		case network != network.Masked():
			return fmt.Errorf("the trusted proxies have %q; write %q", network, network.Masked())
		case network.Bits() == 0:
			return fmt.Errorf("the trusted proxies have %q, which trusts everybody", network)
		}
	}
	return nil
}

// clientOf is the address of the socket, unless that is a trusted proxy. Then it
// is what the proxies saw: the right-most address of X-Forwarded-For that is no
// trusted proxy. Everything left of it came from outside. Where an entry cannot
// be read, the proxy that sent it is as far as anybody knows.
func clientOf(r *http.Request, trusted []netip.Prefix) netip.Addr {
	client := addressOf(r.RemoteAddr)
	entries := strings.Split(strings.Join(r.Header.Values(echo.HeaderXForwardedFor), ","), ",")
	for i := len(entries) - 1; i >= 0 && isProxy(client, trusted); i-- {
		before := addressOf(strings.TrimSpace(entries[i]))
		if !before.IsValid() {
			break
		}
		client = before
	}
	return client
}

func isProxy(addr netip.Addr, trusted []netip.Prefix) bool {
	for _, network := range trusted {
		if network.Contains(addr) {
			return true
		}
	}
	return false
}

// addressOf reads an address with or without a port, as proxies write it. What is
// none is not valid.
func addressOf(text string) netip.Addr {
	if with, err := netip.ParseAddrPort(text); err == nil {
		return with.Addr().Unmap().WithZone("")
	}
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		text = strings.TrimSuffix(inner, "]")
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}

// ClientOf says from where a person signs in, as they are shown it later.
func ClientOf(c echo.Context) identity.Client {
	from := identity.Client{Device: deviceOf(c.Request().UserAgent())}
	if ip := ClientIP(c); ip.IsValid() {
		from.Address = ip.String()
	}
	return from
}

// deviceOf names a browser and its system in words, as far as they are known.
func deviceOf(agent string) string {
	first := func(known [][2]string, otherwise string) string {
		for _, k := range known {
			if strings.Contains(agent, k[0]) {
				return k[1]
			}
		}
		return otherwise
	}
	browser := first([][2]string{ // the first that fits: most claim to be several
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	}, "A browser")
	system := first([][2]string{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"},
	}, "")
	if system == "" {
		return browser
	}
	return browser + " on " + system
}
