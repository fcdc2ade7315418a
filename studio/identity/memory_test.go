package identity

import (
	"context"
	"sync"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// memory is a store for the logic of tokens and scopes. What depends on a
// database is tested with the real one.
type memory struct {
	Store       // what is tested with a real database only
	mu          sync.Mutex
	users       map[string]models.User
	tenants     map[string]models.Tenant
	memberships map[[2]string]models.Membership // by tenant and user
	sessions    map[string]models.LoginSession
	tokens      map[string]models.APIToken
	broken      error // returned by every look-up when set
}

var _ Store = (*memory)(nil)

func newMemory() *memory {
	return &memory{
		users: map[string]models.User{}, tenants: map[string]models.Tenant{},
		memberships: map[[2]string]models.Membership{}, sessions: map[string]models.LoginSession{},
		tokens: map[string]models.APIToken{},
	}
}

func get[K comparable, V any](m *memory, from map[K]V, key K) (V, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := from[key]
	switch {
	case m.broken != nil:
		return *new(V), m.broken
	case !ok:
		return value, models.NotFound()
	}
	return value, nil
}

func filter[K comparable, V any](m *memory, from map[K]V, keep func(V) bool) ([]V, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var kept []V
	for _, value := range from {
		if keep(value) {
			kept = append(kept, value)
		}
	}
	return kept, m.broken
}

func put[K comparable, V any](m *memory, into map[K]V, key K, value V) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	into[key] = value
	return m.broken
}

func (m *memory) User(_ context.Context, id string) (models.User, error) {
	return get(m, m.users, id)
}

func (m *memory) UserByEmail(_ context.Context, email string) (models.User, error) {
	found, err := filter(m, m.users, func(u models.User) bool { return u.Email == email })
	if err == nil && len(found) == 0 {
		return models.User{}, models.NotFound()
	}
	if err != nil {
		return models.User{}, err
	}
	return found[0], nil
}

func (m *memory) UsersByID(_ context.Context, ids []string) ([]models.User, error) {
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	return filter(m, m.users, func(u models.User) bool { return wanted[u.ID] })
}

func (m *memory) Tenant(_ context.Context, id string) (models.Tenant, error) {
	return get(m, m.tenants, id)
}

func (m *memory) Membership(_ context.Context, tenant, user string) (models.Membership, error) {
	return get(m, m.memberships, [2]string{tenant, user})
}

func (m *memory) Member(ctx context.Context, tenant, user string) (models.User, models.Membership, error) {
	membership, err := m.Membership(ctx, tenant, user)
	if err != nil {
		return models.User{}, models.Membership{}, err
	}
	found, err := m.User(ctx, user)
	return found, membership, err
}

func (m *memory) MembershipsOf(_ context.Context, user string) ([]models.Membership, error) {
	return filter(m, m.memberships, func(x models.Membership) bool { return x.UserID == user })
}

func (m *memory) MembersOf(_ context.Context, tenant string) ([]models.Membership, error) {
	return filter(m, m.memberships, func(x models.Membership) bool { return x.TenantID == tenant })
}

func (m *memory) LoginSession(_ context.Context, id string) (models.LoginSession, error) {
	return get(m, m.sessions, id)
}

func (m *memory) CreateLoginSession(_ context.Context, s models.LoginSession) error {
	return put(m, m.sessions, s.ID, s)
}

func (m *memory) RevokeLoginSession(ctx context.Context, id string, at models.Instant) error {
	s, err := m.LoginSession(ctx, id)
	if err != nil || s.RevokedAt != 0 {
		return err
	}
	s.RevokedAt = at
	return put(m, m.sessions, id, s)
}

func (m *memory) UpsertTenant(_ context.Context, t models.Tenant) error {
	return put(m, m.tenants, t.ID, t)
}

func (m *memory) UpsertUser(_ context.Context, u models.User) error {
	return put(m, m.users, u.ID, u)
}

func (m *memory) UpsertMembership(_ context.Context, x models.Membership) error {
	return put(m, m.memberships, [2]string{x.TenantID, x.UserID}, x)
}

func (m *memory) TouchLoginSession(context.Context, string, models.Instant, models.Instant) error {
	return nil
}

// leave ends a membership.
func (m *memory) leave(tenant, email string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.memberships, [2]string{tenant, UserID(email)})
}

func (m *memory) CreateUser(ctx context.Context, u models.User) error { return m.UpsertUser(ctx, u) }

func (m *memory) LockTenant(context.Context, string) error { return m.broken }

func (m *memory) DeleteMembership(_ context.Context, tenant, user string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.memberships, [2]string{tenant, user})
	return true, m.broken
}

// partitionKey keeps the partition of a unit in its context.
type partitionKey struct{}

func (*memory) Read(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error {
	return fn(context.WithValue(ctx, partitionKey{}, p.Stored()))
}

func (m *memory) Write(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error {
	return m.Read(ctx, p, fn)
}

func (m *memory) CreateAPIToken(_ context.Context, t models.APIToken) error {
	return put(m, m.tokens, t.ID, t)
}

func (m *memory) APIToken(ctx context.Context, id string) (models.APIToken, error) {
	t, err := get(m, m.tokens, id)
	if err == nil && t.TenantID != ctx.Value(partitionKey{}) {
		return models.APIToken{}, models.NotFound()
	}
	return t, err
}

func (m *memory) APITokens(ctx context.Context) ([]models.APIToken, error) {
	return filter(m, m.tokens, func(t models.APIToken) bool { return t.TenantID == ctx.Value(partitionKey{}) })
}

func (m *memory) APITokensOf(ctx context.Context, user string) ([]models.APIToken, error) {
	return filter(m, m.tokens, func(t models.APIToken) bool { return t.TenantID == ctx.Value(partitionKey{}) && t.UserID == user })
}

func (m *memory) TokenMember(ctx context.Context, id string) (models.TokenMember, error) {
	token, err := m.APIToken(ctx, id)
	if err != nil {
		return models.TokenMember{}, err
	}
	user, membership, err := m.Member(ctx, token.TenantID, token.UserID)
	return models.TokenMember{Token: token, User: user, Membership: membership}, err
}

func (m *memory) change(ctx context.Context, id string, change func(*models.APIToken)) (bool, error) {
	t, err := m.APIToken(ctx, id)
	if err != nil || t.RevokedAt != 0 {
		return false, err
	}
	change(&t)
	return true, put(m, m.tokens, id, t)
}

func (m *memory) TouchAPIToken(ctx context.Context, id string, _, at models.Instant) (bool, error) {
	return m.change(ctx, id, func(t *models.APIToken) { t.LastUsedAt = at })
}

func (m *memory) RevokeAPIToken(ctx context.Context, id string, at models.Instant) (bool, error) {
	return m.change(ctx, id, func(t *models.APIToken) { t.RevokedAt = at })
}

func (m *memory) RevokeAPITokensOf(ctx context.Context, user string, at models.Instant) (bool, error) {
	tokens, err := m.APITokensOf(ctx, user)
	for _, t := range tokens {
		_, err = m.RevokeAPIToken(ctx, t.ID, at)
	}
	return len(tokens) > 0, err
}
