package hosttools

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// The sources of server-managed config parameters. They are filled when an
// instance is constructed, so they never depend on the caller.
const (
	SourceServer Source = "server"
	SourceApp    Source = "app"
)

// Server is a config parameter whose value the constructor sets itself with
// [ServerValue]. People see that it exists and cannot set it.
type Server[T any] struct{ value T }

// ServerValue returns a server-managed parameter with a value.
func ServerValue[T any](value T) Server[T] { return Server[T]{value} }

// Value returns the parameter's value.
func (s Server[T]) Value() T { return s.value }

// App is a config parameter that is filled from the host's application values:
// `App[*ledger.Client]` with the tag `key:"ledger"` receives Host.App["ledger"].
// People see that it exists and cannot set it.
type App[T any] struct{ value T }

// Value returns the parameter's value.
func (a App[T]) Value() T { return a.value }

// serverManaged is what config parameters have in common that people cannot
// set.
type serverManaged interface {
	source() Source
	secret() string
}

// given is a server-managed parameter whose value comes from the host.
type given interface{ fits(value any) error }

func (Server[T]) source() Source { return SourceServer }
func (App[T]) source() Source    { return SourceApp }

// fits says why a value is not what the parameter takes.
func (App[T]) fits(value any) error {
	if _, ok := value.(T); !ok {
		return fmt.Errorf("it takes a %s, and Host.App has a %T", reflect.TypeFor[T](), value)
	}
	return nil
}

// errServed refuses a server-managed parameter in a configuration.
var errServed = errors.New("the server sets it, and nobody else can")

// UnmarshalJSONFrom refuses every value, null too, so that no configuration
// can replace the parameter's.
func (*Server[T]) UnmarshalJSONFrom(*jsontext.Decoder) error { return errServed }

// UnmarshalJSONFrom refuses every value, as that of [Server] does.
func (*App[T]) UnmarshalJSONFrom(*jsontext.Decoder) error { return errServed }

// fill sets the parameter, which takes the value by fits.
func (a *App[T]) fill(value any) { a.value, _ = value.(T) }

// secret returns the value of a server-managed secret, "" for other types.
func (s Server[T]) secret() string { return secretIn(s.value) }

// secret returns the value of a secret of the host, "" for other types.
func (a App[T]) secret() string { return secretIn(a.value) }

func secretIn(value any) string {
	secret, _ := value.(Secret)
	return secret.Reveal()
}

// managedParam returns the server-managed parameter of a type, and false for
// other types.
func managedParam(t reflect.Type) (serverManaged, bool) {
	if t.Kind() != reflect.Struct || t.PkgPath() != reflect.TypeFor[Secret]().PkgPath() {
		return nil, false
	}
	param, ok := reflect.Zero(t).Interface().(serverManaged)
	return param, ok
}
