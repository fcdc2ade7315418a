package hosttoolstest

import (
	"database/sql"
	"time"
)

// Option says something about the toolkits under test that their types cannot
// say.
type Option func(*settings)

// settings are what the options of a run come to.
type settings struct {
	args       map[string]map[string]any
	config     map[string]map[string]any
	shared     map[string]bool
	tenants    [2]string
	writes     bool
	allowEmpty bool
	db         *sql.DB
	deadline   time.Duration
	bytes      int

	construct time.Duration // for all constructions of one check
	grace     time.Duration // for what was left behind to end
}

func settingsOf(options []Option) settings {
	set := settings{
		args: map[string]map[string]any{}, config: map[string]map[string]any{}, shared: map[string]bool{},
		tenants: [2]string{"acme", "globex"}, deadline: 2 * time.Second, bytes: 256 << 10,
		construct: 5 * time.Second, grace: 2 * time.Second,
	}
	for _, option := range options {
		option(&set)
	}
	return set
}

// Args gives a method, by the name that models see, the arguments of an
// ordinary call. Without it they are made of the schema: its examples, then
// defaults, the first of an enum, and made up values that fit.
//
// The call must succeed for at least one of the tenants; the other may refuse
// it with an error of its own, as for the id of a foreign record.
func Args(tool string, args map[string]any) Option {
	return func(s *settings) { s.args[tool] = args }
}

// Config gives a toolkit, by its slug, a configuration with which it works in
// tests, on top of the host's defaults. Secrets are plain strings. Without it,
// what is required is made up, and every secret.
func Config(slug string, config map[string]any) Option {
	return func(s *settings) { s.config[slug] = config }
}

// Tenants names two tenants that both have test data; "acme" and "globex" are
// the default.
func Tenants(a, b string) Option {
	return func(s *settings) { s.tenants = [2]string{a, b} }
}

// Writes allows the suite to run writes too, each through an approval of
// exactly that call: for a host's test database only. Without it writes are
// judged and refused, and none runs.
func Writes() Option {
	return func(s *settings) { s.writes = true }
}

// Database is where the writes of transactional toolkits get their transaction
// from, if Writes allows them to run.
func Database(db *sql.DB) Option {
	return func(s *settings) { s.db = db }
}

// Deadline is how long each call may take, 2 s by default.
func Deadline(d time.Duration) Option {
	return func(s *settings) { s.deadline = d }
}

// ResultBytes is how large a result may be, 256 KiB by default, which is also
// where the Studio cuts.
func ResultBytes(n int) Option {
	return func(s *settings) { s.bytes = n }
}

// AllowEmpty accepts reads that return nothing for one of the tenants, though
// that proves nothing.
func AllowEmpty() Option {
	return func(s *settings) { s.allowEmpty = true }
}

// Shared declares that methods, by the names that models see, return the same
// for every tenant on purpose, for example a list of currencies.
func Shared(tools ...string) Option {
	return func(s *settings) {
		for _, tool := range tools {
			s.shared[tool] = true
		}
	}
}
