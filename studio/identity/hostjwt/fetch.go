package hostjwt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"
)

const (
	// maxDocument is how much of an answer is read, in bytes.
	maxDocument = 1 << 20
	// fetchWithin is how long one request may take.
	fetchWithin = 5 * time.Second
	// freshFor is how long a key set is used before it is looked at again.
	freshFor = time.Hour
	// usableFor is how long it is used when it cannot be had again, so that a key
	// that was taken back does not count forever.
	usableFor = 24 * time.Hour
	// refreshEvery is the least time between two looks for a key that is not in the
	// set, so that tokens with made-up keys do not become requests to the issuer.
	refreshEvery = time.Minute
	// retryEvery is that time while there is no set at all.
	retryEvery = 5 * time.Second
)

// NewClient returns a client for what issuers and identity providers publish. It
// speaks HTTPS, and plain HTTP with this machine only; it follows no redirect,
// and neither waits nor reads without end.
func NewClient() *http.Client {
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: fetchWithin}).DialContext,
		TLSHandshakeTimeout: fetchWithin, ResponseHeaderTimeout: fetchWithin,
		ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute,
	}
	return &http.Client{
		Transport: bounded{transport}, Timeout: 2 * fetchWithin,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("a redirect is not followed; configure the address it leads to")
		},
	}
}

// bounded refuses addresses that are not safe, and answers that are too large.
type bounded struct{ inner http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := safe(r.URL); err != nil {
		return nil, err
	}
	response, err := b.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = &limited{ReadCloser: response.Body, left: maxDocument}
	return response, nil
}

// limited fails where a body is longer than it may be. Cutting it off could make
// another document of it.
type limited struct {
	io.ReadCloser
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if l.left -= n; l.left < 0 {
		return 0, fmt.Errorf("the answer is longer than %d KiB", maxDocument>>10)
	}
	return n, err
}

// SafeURL returns an error for an address that is not https, unless it is of this
// machine.
func SafeURL(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("%q is no address: %w", address, err)
	}
	return safe(u)
}

func safe(u *url.URL) error {
	host := u.Hostname()
	ip := net.ParseIP(host)
	local := host == "localhost" || ip != nil && ip.IsLoopback()
	switch {
	case host == "" || u.User != nil:
		return fmt.Errorf("%q must be an https address without a password", u.Redacted())
	case u.Scheme == "https", u.Scheme == "http" && local:
		return nil
	}
	return fmt.Errorf("%q must start with https://; plain http is for this machine only", u.Redacted())
}

// Keys are an issuer's keys, kept and looked at again when that is due. They may
// be used from any goroutine.
type Keys struct {
	load func(ctx context.Context) ([]byte, error)
	now  func() time.Time

	loading sync.Mutex // held by the one that loads
	mu      sync.Mutex // guards what follows
	set     KeySet
	loaded  time.Time // when the set was had; zero: never
	tried   time.Time
	failure error // of the last attempt
}

// KeysFromURL returns the keys that an address publishes. They are fetched when
// they are first needed. A nil client means [NewClient].
func KeysFromURL(address string, client *http.Client) (*Keys, error) {
	if err := SafeURL(address); err != nil {
		return nil, fmt.Errorf("the address of a key set: %w", err)
	}
	if client == nil {
		client = NewClient()
	}
	return newKeys(func(ctx context.Context) ([]byte, error) { return fetch(ctx, client, address) }), nil
}

// KeysFromFile returns the keys in a file, which is read again as an address
// would be.
func KeysFromFile(path string) *Keys {
	return newKeys(func(context.Context) ([]byte, error) {
		file, err := os.Open(path) //nolint:gosec // Who configures the server names the file.
		if err != nil {
			return nil, err
		}
		return readAll(file)
	})
}

// FixedKeys returns keys that never change.
func FixedKeys(set KeySet) *Keys {
	k := newKeys(nil)
	k.set = set
	return k
}

func newKeys(load func(context.Context) ([]byte, error)) *Keys {
	return &Keys{load: load, now: time.Now}
}

func fetch(ctx context.Context, client *http.Client, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/jwk-set+json, application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("the key set was answered with %s", response.Status), response.Body.Close())
	}
	return readAll(response.Body)
}

func readAll(from io.ReadCloser) ([]byte, error) {
	data, err := io.ReadAll(&limited{ReadCloser: from, left: maxDocument})
	return data, errors.Join(err, from.Close())
}

// find returns the key for a token's header, after a look at the source where
// that is due. Tokens with known keys wait for nobody who looks for unknown ones.
func (k *Keys) find(ctx context.Context, id, algorithm string) (any, error) {
	public, found, due := k.look(id, algorithm)
	if found && due && !k.loading.TryLock() {
		return public, nil // somebody else is at it
	}
	if !found && due {
		k.loading.Lock()
	}
	if due {
		public, found = k.reload(ctx, id, algorithm)
		k.loading.Unlock()
	}
	if !found {
		return nil, k.missing()
	}
	return public, nil
}

// look returns the key, if it is there, and whether to load.
func (k *Keys) look(id, algorithm string) (public any, found, due bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	if k.load == nil {
		public, found = k.set.find(id, algorithm)
		return public, found, false
	}
	if k.loaded.IsZero() {
		return nil, false, now.Sub(k.tried) >= retryEvery
	}
	if now.Sub(k.loaded) < usableFor {
		public, found = k.set.find(id, algorithm)
	}
	stale := !found || now.Sub(k.loaded) >= freshFor
	return public, found, stale && now.Sub(k.tried) >= refreshEvery
}

// reload loads the set, unless that was done while it waited, and finds the key
// in what there is then. It does not end with the request that it is for: one
// caller who goes away must not use up everybody's turn.
func (k *Keys) reload(ctx context.Context, id, algorithm string) (any, bool) {
	public, found, due := k.look(id, algorithm)
	if !due {
		return public, found
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchWithin)
	defer cancel()
	data, err := k.load(ctx)
	var set KeySet
	if err == nil {
		set, err = ParseKeySet(data)
	}
	k.keep(set, err)
	public, found, _ = k.look(id, algorithm)
	return public, found
}

func (k *Keys) keep(set KeySet, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tried, k.failure = k.now(), err
	if err == nil {
		k.set, k.loaded = set, k.tried
	}
}

func (k *Keys) missing() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failure != nil {
		return fmt.Errorf("the keys of the issuer cannot be had: %w", k.failure)
	}
	return errors.New("the issuer has no such key")
}
