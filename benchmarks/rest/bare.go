package main

import (
	"crypto/ed25519"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/benchmarks/orders"
)

// leeway is how far clocks may differ, as in the Studio.
const leeway = 5 * time.Second

// bare is the route that a developer would write by hand for the same read: it
// checks the same token with the same options and runs the same query. It asks
// nobody whether the token's user still belongs to the tenant, judges no
// policy, and validates no argument.
type bare struct {
	table  *table
	parser *jwt.Parser
	key    ed25519.PublicKey
}

// claims are what the Studio's API tokens carry.
type claims struct {
	Tenant string `json:"tid"`
	jwt.RegisteredClaims
}

func newBare(table *table, key ed25519.PublicKey) *bare {
	return &bare{table: table, key: key, parser: jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}),
		jwt.WithIssuer("agent-studio"), jwt.WithAudience("agentstudio-api"),
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(leeway), jwt.WithStrictDecoding(),
	)}
}

func (b *bare) handle(c echo.Context) error {
	tenant, err := b.tenant(c.Request())
	if err != nil {
		return echo.NewHTTPError(http.StatusUnauthorized).SetInternal(err)
	}
	var body struct {
		Args orders.Query `json:"args"`
	}
	if err := c.Bind(&body); err != nil {
		return err
	}
	page, err := b.table.list(c.Request().Context(), tenant, body.Args.Status)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, page)
}

// tenant returns whom the bearer token is for.
func (b *bare) tenant(r *http.Request) (string, error) {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return "", errors.New("there is no bearer token")
	}
	var c claims
	_, err := b.parser.ParseWithClaims(text, &c, func(*jwt.Token) (any, error) { return b.key, nil })
	return c.Tenant, err
}
