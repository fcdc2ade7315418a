package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/identity/hostjwt"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web/auth"
)

// settings come from flags and AGENTSTUDIO_* variables, and mean the same to
// every command.
type settings struct {
	Addr            string `env:"AGENTSTUDIO_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to listen on. The demo listens on loopback only."`
	Data            string `env:"AGENTSTUDIO_DATA" default:"./data" placeholder:"FOLDER" help:"Folder for the SQLite file and the demo's key."`
	DatabaseURL     string `env:"AGENTSTUDIO_DATABASE_URL" name:"database-url" placeholder:"URL" help:"PostgreSQL to use instead of the SQLite file."`
	AllowOwner      bool   `env:"AGENTSTUDIO_ALLOW_OWNER" name:"allow-owner" help:"Serve on PostgreSQL as a role that row security does not bind. For a developer's database only."`
	KeyFile         string `env:"AGENTSTUDIO_KEY_FILE" name:"key-file" placeholder:"FILE" help:"Master key, 32 bytes, readable by its owner only. The demo makes its own."`
	PreviousKeyFile string `env:"AGENTSTUDIO_PREVIOUS_KEY_FILE" name:"previous-key-file" placeholder:"FILE" help:"Master key before this one: it opens stored secrets until 'vault rotate' has run."`
	Prefix          string `env:"AGENTSTUDIO_PREFIX" default:"/studio" placeholder:"PATH" help:"Path under which the Studio lives."`
	PublicURL       string `env:"AGENTSTUDIO_PUBLIC_URL" name:"public-url" placeholder:"URL" help:"What browsers see in place of the prefix, where a proxy changes host, scheme or path."`
	NoDemo          bool   `env:"AGENTSTUDIO_NO_DEMO" name:"no-demo" help:"Serve without the demo's people: everybody has a password. See 'tenant create'."`
	LogLevel        string `env:"AGENTSTUDIO_LOG_LEVEL" name:"log-level" default:"warn" enum:"debug,info,warn,error" help:"What to log: debug, info, warn or error."`

	JWTIssuer   string `env:"AGENTSTUDIO_JWT_ISSUER" name:"jwt-issuer" placeholder:"NAME" help:"Issuer whose JWTs programs may send in place of API tokens."`
	JWTAudience string `env:"AGENTSTUDIO_JWT_AUDIENCE" name:"jwt-audience" placeholder:"NAME" help:"What those JWTs must be for."`
	JWTKeys     string `env:"AGENTSTUDIO_JWT_JWKS" name:"jwt-jwks" placeholder:"URL" help:"Key set of that issuer: an https address, or a file."`

	OIDCIssuer string   `env:"AGENTSTUDIO_OIDC_ISSUER" name:"oidc-issuer" placeholder:"URL" help:"OpenID Connect provider at which people sign in."`
	OIDCName   string   `env:"AGENTSTUDIO_OIDC_NAME" name:"oidc-name" default:"single sign-on" help:"What people call that provider."`
	OIDCClient string   `env:"AGENTSTUDIO_OIDC_CLIENT_ID" name:"oidc-client-id" help:"Client id at that provider."`
	OIDCSecret string   `env:"AGENTSTUDIO_OIDC_SECRET_FILE" name:"oidc-secret-file" placeholder:"FILE" help:"File with the client secret."`
	OIDCGroups []string `env:"AGENTSTUDIO_OIDC_GROUPS" name:"oidc-group" placeholder:"GROUP=TENANT:ROLE[:GROUP…]" help:"What a group at the provider gives here, such as staff=acme:author:support."`

	TrustedProxies []string `env:"AGENTSTUDIO_TRUSTED_PROXIES" name:"trusted-proxies" placeholder:"NETWORK" help:"Networks of proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8, with commas between them."`
}

func (s *settings) level() slog.Level {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return slog.LevelWarn
	}
	return level
}

// embedded reports whether the database is the file in the data folder. Only
// that one is migrated by the server itself.
func (s *settings) embedded() bool { return s.DatabaseURL == "" }

func (s *settings) dsn() string {
	if s.embedded() {
		return filepath.Join(s.Data, "studio.db")
	}
	return s.DatabaseURL
}

// open prepares the data folder and opens the database.
func (s *settings) open(ctx context.Context) (*store.Store, error) {
	return s.openWith(ctx, slog.Default())
}

// openWith is open with another logger.
func (s *settings) openWith(ctx context.Context, logger *slog.Logger) (*store.Store, error) {
	if err := s.folder(); err != nil {
		return nil, err
	}
	if s.embedded() {
		if err := private(s.dsn()); err != nil {
			return nil, err
		}
	} else if !strings.HasPrefix(s.DatabaseURL, "postgres://") && !strings.HasPrefix(s.DatabaseURL, "postgresql://") {
		return nil, errors.New("the database URL must start with postgres://; leave it out to use the SQLite file in the data folder")
	}
	return store.Open(ctx, store.Config{DSN: s.dsn(), Logger: logger, AllowOwner: s.AllowOwner})
}

func (s *settings) folder() error {
	if err := os.MkdirAll(s.Data, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	return nil
}

// private makes sure that a file is there, and made for its owner alone.
func private(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // Who runs the server names the folder.
	if err != nil {
		return fmt.Errorf("open the database file: %w", err)
	}
	return file.Close()
}

// key loads the master key. Without a key file the demo makes one in the data
// folder.
func (s *settings) key() (vault.MasterKey, error) {
	if s.KeyFile != "" {
		return vault.LoadKey(s.KeyFile)
	}
	if err := s.folder(); err != nil {
		return vault.MasterKey{}, err
	}
	return vault.LoadOrCreateKey(filepath.Join(s.Data, "master.key"))
}

// people returns the identity service over a database.
func people(db *store.Store, key vault.MasterKey) *identity.Service {
	return identity.NewService(identity.Config{Store: db, Tokens: identity.NewTokens(key.Derive(vault.PurposeTokens), time.Now)})
}

// ownPrefix refuses a prefix under which the demo host has pages of its own.
func (s *settings) ownPrefix() error {
	switch first, _, _ := strings.Cut(strings.TrimPrefix(s.Prefix, "/"), "/"); first {
	case "orders", "healthz", "readyz":
		return fmt.Errorf("the prefix %q is one of the demo host's own pages; choose another, such as /studio", s.Prefix)
	}
	return nil
}

// loopback refuses an address that others on the network could reach where that
// is not safe: the demo signs anybody in without a password, and elsewhere
// passwords must not cross a network in the clear.
func (s *settings) loopback() error {
	host, _, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return fmt.Errorf("the address %q is not of the form host:port, such as 127.0.0.1:8080: %w", s.Addr, err)
	}
	if !isLoopback(host) && s.NoDemo {
		if strings.HasPrefix(s.PublicURL, "https://") {
			return nil
		}
		return fmt.Errorf("%q can be reached by others, so browsers must come by TLS: put a proxy in front and name it with --public-url https://…", s.Addr)
	}
	if !isLoopback(host) {
		return fmt.Errorf("the demo signs anybody in, so it listens on loopback only, and %q is not; use 127.0.0.1:8080", s.Addr)
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// place returns where browsers see the Studio. The demo's public URL is on
// loopback like its address, and for the same reason.
func (s *settings) place() (auth.Place, error) {
	place, err := auth.PlaceOf(s.Prefix, s.PublicURL)
	if err != nil {
		return auth.Place{}, err
	}
	for _, host := range place.Hosts(nil) {
		if !isLoopback(host) && !s.NoDemo {
			return auth.Place{}, fmt.Errorf("the demo signs anybody in, so its public URL is on loopback only, and %q is not; use http://localhost:8080", s.PublicURL)
		}
	}
	return place, nil
}

// resolver returns who calls: people, and where an issuer is configured the
// accounts there that are linked to members.
func (s *settings) resolver(people *identity.Service) (tenancy.Resolver, error) {
	if s.JWTIssuer == "" {
		return people, nil
	}
	keys := hostjwt.KeysFromFile(s.JWTKeys)
	if strings.Contains(s.JWTKeys, "://") {
		var err error
		if keys, err = hostjwt.KeysFromURL(s.JWTKeys, nil); err != nil {
			return nil, err
		}
	}
	tokens, err := hostjwt.NewVerifier(nil, hostjwt.Issuer{Name: s.JWTIssuer, Audience: s.JWTAudience, Keys: keys})
	if err != nil {
		return nil, fmt.Errorf("--jwt-issuer, --jwt-audience and --jwt-jwks: %w", err)
	}
	return hostjwt.NewMembers(people, tokens, people), nil
}
