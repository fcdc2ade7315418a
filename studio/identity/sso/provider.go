// Package sso signs people in at an OpenID Connect provider: the authorization
// code flow with PKCE, state and nonce.
//
//	provider, err := sso.New(sso.Config{Issuer: "https://id.example.com", ClientID: …, Box: key.Box(vault.PurposeFlows)})
//	web.Mount(e, app, web.Config{Identity: people, Provider: provider})
//
// It is apart from package identity, so that a host without it compiles without
// the libraries that it takes.
package sso

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/identity/hostjwt"
)

const (
	// FlowLifetime is how long a person may take at the provider.
	FlowLifetime = 10 * time.Minute
	// within is how long one exchange with the provider may take.
	within = 15 * time.Second
	// maxAnswer is the longest code, state or ID token that is looked at, in bytes.
	maxAnswer = 16 << 10
	// maxSubject is the longest id of a person at the provider, in bytes.
	maxSubject = 256
)

// Box seals flows, so that only this server opens them.
type Box interface {
	Seal(plaintext []byte, place ...string) ([]byte, error)
	Open(box []byte, place ...string) ([]byte, error)
}

// Config describes a provider.
type Config struct {
	// Title is what people call it, such as "Acme SSO".
	Title string
	// Issuer is its https address, as its tokens have it; plain http is for this
	// machine only.
	Issuer   string
	ClientID string
	Secret   string
	// Groups is the claim with a person's groups; empty means "groups".
	Groups string
	// Rules say what groups give here.
	Rules []identity.GroupRule
	// Box seals what a browser keeps meanwhile.
	Box Box
	// Now decides what has expired; nil means [time.Now].
	Now func() time.Time
}

// Provider is an OpenID Connect provider. It is asked for what it offers when
// that is first needed. It may be used from any goroutine.
type Provider struct {
	c      Config
	client *http.Client

	mu         sync.Mutex
	discovered *oidc.Provider
}

var _ identity.Provider = (*Provider)(nil)

// New returns a provider. It asks nothing of it yet.
func New(c Config) (*Provider, error) {
	if c.ClientID == "" || c.Box == nil {
		return nil, errors.New("sso: a provider needs a client id, and a box")
	}
	if err := hostjwt.SafeURL(c.Issuer); err != nil {
		return nil, fmt.Errorf("sso: the issuer: %w", err)
	}
	if c.Title == "" {
		c.Title = "single sign-on"
	}
	if c.Groups == "" {
		c.Groups = "groups"
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Provider{c: c, client: hostjwt.NewClient()}, nil
}

// Name is what people call it.
func (p *Provider) Name() string { return p.c.Title }

// flow is what a browser keeps, sealed, while its person is at the provider.
type flow struct {
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"` // of PKCE
	Callback string    `json:"callback"`
	Next     string    `json:"next"`
	Fresh    bool      `json:"fresh"`
	Expires  time.Time `json:"expires"`
}

// place is what flows are sealed for.
const place = "sign-in flow"

// Begin returns the provider's address for a browser, and its sealed flow. It
// returns provider_unavailable when the provider does not answer.
func (p *Provider) Begin(ctx context.Context, ask identity.ProviderAsk) (redirect, sealed string, err error) {
	config, _, err := p.discover(ctx, ask.Callback)
	if err != nil {
		return "", "", err
	}
	f := flow{
		State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(),
		Callback: ask.Callback, Next: ask.Next, Fresh: ask.Fresh, Expires: p.c.Now().Add(FlowLifetime),
	}
	data, err := json.Marshal(f)
	if err != nil {
		return "", "", fmt.Errorf("encode a flow: %w", err)
	}
	box, err := p.c.Box.Seal(data, place, p.c.Issuer)
	if err != nil {
		return "", "", fmt.Errorf("seal a flow: %w", err)
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)}
	if ask.Fresh {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return config.AuthCodeURL(f.State, options...), base64.RawURLEncoding.EncodeToString(box), nil
}

// Finish returns whom the answer names. It returns unauthenticated for an answer
// that is not to this flow, comes late, or names nobody.
func (p *Provider) Finish(ctx context.Context, sealed string, answer url.Values) (identity.Visitor, string, error) {
	f, err := p.open(sealed)
	if err != nil {
		return identity.Visitor{}, "", failed(err)
	}
	state, code := answer.Get("state"), answer.Get("code")
	switch {
	case len(answer["state"]) != 1 || state != f.State:
		return identity.Visitor{}, "", failed(errors.New("the answer is to another flow"))
	case answer.Get("error") != "":
		return identity.Visitor{}, "", failed(fmt.Errorf("the provider answered %.200q", answer.Get("error")))
	case len(answer["code"]) != 1 || code == "" || len(code) > maxAnswer:
		return identity.Visitor{}, "", failed(errors.New("the answer has no code"))
	}
	visitor, err := p.visitor(ctx, f, code)
	return visitor, f.Next, err
}

func (p *Provider) open(sealed string) (flow, error) {
	if len(sealed) > maxAnswer {
		return flow{}, errors.New("the flow is too long")
	}
	box, err := base64.RawURLEncoding.Strict().DecodeString(sealed)
	if err != nil {
		return flow{}, err
	}
	data, err := p.c.Box.Open(box, place, p.c.Issuer)
	if err != nil {
		return flow{}, err
	}
	var f flow
	if err := json.Unmarshal(data, &f); err != nil {
		return flow{}, err
	}
	if !p.c.Now().Before(f.Expires) {
		return flow{}, errors.New("the flow has expired")
	}
	return f, nil
}

// visitor exchanges the code, and checks the ID token.
func (p *Provider) visitor(ctx context.Context, f flow, code string) (identity.Visitor, error) {
	config, provider, err := p.discover(ctx, f.Callback)
	if err != nil {
		return identity.Visitor{}, err
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.client), within)
	defer cancel()
	tokens, err := config.Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return identity.Visitor{}, failed(err)
	}
	text, ok := tokens.Extra("id_token").(string)
	if !ok || len(text) > maxAnswer {
		return identity.Visitor{}, failed(errors.New("the provider sent no ID token"))
	}
	verifier := provider.VerifierContext(ctx, &oidc.Config{
		ClientID: p.c.ClientID, Now: p.c.Now, SupportedSigningAlgs: []string{oidc.RS256, oidc.PS256, oidc.ES256, oidc.EdDSA},
	})
	token, err := verifier.Verify(ctx, text)
	if err != nil {
		return identity.Visitor{}, failed(err)
	}
	if token.Nonce != f.Nonce {
		return identity.Visitor{}, failed(errors.New("the ID token is of another flow"))
	}
	return p.read(token, f)
}

// read takes from the ID token what is needed of it.
func (p *Provider) read(token *oidc.IDToken, f flow) (identity.Visitor, error) {
	var claims struct {
		Email         string `json:"email"`
		EmailVerified bool   `json:"email_verified"`
		Name          string `json:"name"`
		AuthTime      int64  `json:"auth_time"`
	}
	if token.Subject == "" || len(token.Subject) > maxSubject {
		return identity.Visitor{}, failed(errors.New("the ID token names nobody"))
	}
	var all map[string]any
	if err := errors.Join(token.Claims(&claims), token.Claims(&all)); err != nil {
		return identity.Visitor{}, failed(err)
	}
	visitor := identity.Visitor{
		Issuer: token.Issuer, Subject: token.Subject, Email: claims.Email, EmailVerified: claims.EmailVerified,
		Name: claims.Name, Memberships: identity.Mapped(texts(all[p.c.Groups]), p.c.Rules),
	}
	if claims.AuthTime > 0 {
		visitor.AuthTime = models.InstantOf(time.Unix(claims.AuthTime, 0))
	}
	if proved := visitor.AuthTime.Time(); f.Fresh && (visitor.AuthTime == 0 || proved.Before(f.Expires.Add(-FlowLifetime-time.Minute))) {
		return identity.Visitor{}, failed(errors.New("the provider did not ask the person again"))
	}
	return visitor, nil
}

func texts(claim any) []string {
	list, _ := claim.([]any)
	var found []string
	for _, item := range list {
		if text, ok := item.(string); ok {
			found = append(found, text)
		}
	}
	return found
}

// discover asks the provider for what it offers, until that was successful.
func (p *Provider) discover(ctx context.Context, callback string) (*oauth2.Config, *oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.discovered == nil {
		// What is found outlives this request, and so must its client.
		ctx, cancel := context.WithTimeout(oidc.ClientContext(context.WithoutCancel(ctx), p.client), within)
		defer cancel()
		found, err := oidc.NewProvider(ctx, p.c.Issuer)
		if err != nil {
			return nil, nil, models.Errorf(models.CodeProviderUnavailable, "%s cannot be reached. Try again in a minute.", p.c.Title).Because(err)
		}
		p.discovered = found
	}
	return &oauth2.Config{
		ClientID: p.c.ClientID, ClientSecret: p.c.Secret, Endpoint: p.discovered.Endpoint(), RedirectURL: callback,
		Scopes: []string{oidc.ScopeOpenID, "profile", "email", "groups"},
	}, p.discovered, nil
}

// failed is the one answer for a sign-in that did not come about. The cause is
// for the log.
func failed(cause error) error {
	return models.Errorf(models.CodeUnauthenticated, "The sign-in did not come about. Begin again.").Because(cause)
}
