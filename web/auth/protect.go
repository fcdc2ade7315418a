package auth

import (
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
)

// contentPolicy lets a page load nothing but the Studio's own files, and lets
// nobody frame it.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// Headers returns middleware that sets the security headers of every answer.
func Headers() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			h := c.Response().Header()
			h.Set("Content-Security-Policy", contentPolicy)
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("X-Frame-Options", "DENY")
			h.Set("Referrer-Policy", "same-origin")
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			return next(c)
		}
	}
}

// SameOrigin returns middleware that refuses unsafe requests which a browser
// sends from another origin than the server's own, as it is asked for, and than
// public, which is what browsers see behind a proxy. Empty: there is none.
func SameOrigin(public string) echo.MiddlewareFunc {
	protection := http.NewCrossOriginProtection()
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if public != "" && c.Request().Header.Get("Origin") == public {
				return next(c)
			}
			if err := protection.Check(c.Request()); err != nil {
				return models.Errorf(models.CodeCrossOrigin, "This came from another site and was not carried out.").Because(err)
			}
			return next(c)
		}
	}
}

// Hosts returns middleware that answers only for these host names, against DNS
// rebinding. Ports do not count. An empty list answers for all.
func Hosts(names []string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if len(names) > 0 && !slices.Contains(names, hostname(c.Request().Host)) {
				return models.Errorf(models.CodeWrongHost, "This server does not answer for that name.")
			}
			return next(c)
		}
	}
}

func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

// BodyLimit returns middleware that stops reading a body after n bytes, and
// refuses compressed ones.
func BodyLimit(n int64) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if r.ContentLength > n {
				return models.Errorf(models.CodeBodyTooLarge, "This is larger than %d KiB. Send less.", n>>10)
			}
			if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
				return models.Errorf(models.CodeUnsupportedMediaType, "Send the body uncompressed.")
			}
			r.Body = http.MaxBytesReader(c.Response(), r.Body, n)
			return next(c)
		}
	}
}
