package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Place is where a Studio is mounted: how its routes are found, and how browsers
// see them. The two differ behind a proxy that takes a part of the path away.
type Place struct {
	Prefix string // of the routes, such as "/studio"
	Base   string // what browsers see in its place; "" for a server's root
	Origin string // scheme and host that browsers see; "" where it is not known
}

// PlaceOf returns the place of a Studio at prefix, which browsers reach at
// publicURL. Without that they see the prefix itself.
func PlaceOf(prefix, publicURL string) (Place, error) {
	if publicURL == "" {
		return Place{Prefix: prefix, Base: prefix}, nil
	}
	u, err := url.Parse(publicURL)
	if err != nil {
		return Place{}, fmt.Errorf("the public URL %q is none: %w", publicURL, err)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return Place{}, fmt.Errorf("the public URL %q must start with https:// or http:// and a host", publicURL)
	case u.User != nil, u.RawQuery != "", u.ForceQuery, strings.Contains(publicURL, "#"):
		return Place{}, fmt.Errorf("the public URL %q may have no user, query or fragment", publicURL)
	}
	base := strings.TrimSuffix(u.Path, "/")
	if u.RawPath != "" || !plainPath(base) {
		return Place{}, fmt.Errorf("the path of the public URL %q must be made of letters, digits, and -._~ between single slashes", publicURL)
	}
	return Place{Prefix: prefix, Base: base, Origin: originOf(u)}, nil
}

// plainPath reports a path that needs no escapes, anywhere: it stands in links,
// in cookies and in redirects.
func plainPath(path string) bool {
	if path == "" {
		return true
	}
	segments := strings.Split(path, "/")
	if segments[0] != "" {
		return false
	}
	for _, segment := range segments[1:] {
		if segment == "" || segment == "." || segment == ".." || strings.ContainsFunc(segment, notPlain) {
			return false
		}
	}
	return true
}

func notPlain(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-._~", r)
}

// originOf returns an origin as browsers write it: in lower case, without the
// scheme's own port.
func originOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if port := u.Port(); u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" || port == "" {
		host = strings.TrimSuffix(strings.TrimSuffix(host, port), ":")
	}
	return u.Scheme + "://" + host
}

// Hosts returns the host names to answer for: those that were named, and the
// public one. Empty: all.
func (p Place) Hosts(named []string) []string {
	if p.Origin == "" {
		return named
	}
	_, host, _ := strings.Cut(p.Origin, "://")
	return append(append([]string{}, named...), hostname(host))
}

// Public returns what browsers see of a path of the routes.
func (p Place) Public(path string) string {
	if rest, ok := strings.CutPrefix(path, p.Prefix); ok {
		return p.Base + rest
	}
	return path
}

// Link returns the address of a page for programs: with the origin where it is
// known.
func (p Place) Link(parts ...string) string {
	link := p.Origin + p.Base
	for _, part := range parts {
		link += "/" + url.PathEscape(part)
	}
	return link
}

// CookiePath returns the path of cookies, so that two Studios of one server do
// not take each other's.
func (p Place) CookiePath() string {
	if p.Base == "" {
		return "/"
	}
	return p.Base
}

// Secure reports whether browsers come by TLS, here or as far as the proxy.
func (p Place) Secure(r *http.Request) bool {
	if p.Origin != "" {
		return strings.HasPrefix(p.Origin, "https://")
	}
	return r.TLS != nil
}
