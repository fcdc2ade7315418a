package agents_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
)

// manyDesks makes agents with a secret each, in two tenants.
func manyDesks(t *testing.T, s *agents.Service) {
	t.Helper()
	for _, scope := range []tenancy.Scope{owner(), stranger()} {
		for i := range 8 {
			name := fmt.Sprintf("desk-%d", i)
			_, err := s.Create(as(t, scope), shared(name, models.Definition{Title: name}))
			require.NoError(t, err)
			save(t, s, scope, name, "secret of "+scope.Tenant+" "+name)
		}
	}
}

func save(t testing.TB, s *agents.Service, scope tenancy.Scope, name, secret string) {
	t.Helper()
	params := fmt.Sprintf(`{"region":"eu","api_key":%q}`, secret)
	_, err := s.Configure(as(t, scope), name, "fs_export", agents.Change{Params: value(t, params)})
	require.NoError(t, err)
}

// opened returns the secret of an agent, as the toolkit gets it.
func opened(t testing.TB, s *agents.Service, scope tenancy.Scope, name string) (string, error) {
	t.Helper()
	item, err := s.Get(as(t, scope), name)
	if err != nil {
		return "", err
	}
	setting, err := s.Setting(as(t, scope), exportTool(t, registry(t, "fs_export")), item.Agent.ID, scope.User)
	if err != nil {
		return "", err
	}
	config, err := s.Reveal(as(t, scope), setting)
	if err != nil {
		return "", err
	}
	var read struct {
		Key string `json:"api_key"`
	}
	require.NoError(t, json.Unmarshal(config, &read))
	return read.Key, nil
}

func quiet(vault.Progress) {}

// requireRotated requires one key for each tenant, which every record uses.
func requireRotated(t *testing.T, keys *vault.Keyring) {
	t.Helper()
	all, err := keys.Status(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, s := range all {
		require.Len(t, s.Keys, 1, s.Tenant)
		require.Len(t, s.Records, 1, s.Tenant)
		require.NotZero(t, s.Records[s.Keys[0].ID])
	}
}

// TestRotateUnderLoad rotates again and again while others read and write.
func TestRotateUnderLoad(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		keys := keyring(t, db, 1)
		s := serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keys)
		manyDesks(t, s)
		ctx, stop := context.WithCancel(t.Context())
		var others sync.WaitGroup
		for range 2 {
			others.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					name := fmt.Sprintf("desk-%d", i%8)
					if i%3 == 0 {
						params := fmt.Sprintf(`{"region":"us","api_key":%q,"sender":"%d"}`, agents.Mask, i)
						_, err := s.Configure(as(t, owner()), name, "fs_export", agents.Change{Params: value(t, params)})
						if code := models.CodeOf(err); err != nil && code != models.CodeVersionConflict && code != models.CodeInvalidParams {
							t.Errorf("save while keys are rotated: %v", err)
						}
					}
					got, err := opened(t, s, owner(), name)
					if err != nil || got != "secret of acme "+name {
						t.Errorf("open while keys are rotated: %q, %v", got, err)
					}
				}
			})
		}
		for range 5 {
			require.NoError(t, keys.Rotate(t.Context(), agents.PlaceOf, quiet))
		}
		stop()
		others.Wait()
		require.NoError(t, keys.Rotate(t.Context(), agents.PlaceOf, quiet))
		requireRotated(t, keys)
		fresh := serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keyring(t, db, 1))
		got, err := opened(t, fresh, stranger(), "desk-3")
		require.NoError(t, err)
		require.Equal(t, "secret of globex desk-3", got)
	})
}

// interrupted is a store that fails after some writes, as if the process died.
type interrupted struct {
	*store.Store
	left int
}

var errDied = errors.New("died")

func (i *interrupted) Write(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error {
	if i.left--; i.left < 0 {
		return errDied
	}
	return i.Store.Write(ctx, p, fn)
}

// TestRotateGoesOnWhereItWas cuts rotations off after every number of writes.
func TestRotateGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		keys := keyring(t, db, 1)
		s := serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keys)
		manyDesks(t, s)
		cut := 0
		for writes := range 30 {
			dying, err := vault.NewKeyring(&interrupted{Store: db, left: writes}, masterKey(t, 1))
			require.NoError(t, err)
			if err := dying.Rotate(t.Context(), agents.PlaceOf, quiet); err != nil {
				require.ErrorIs(t, err, errDied)
				cut++
			}
			fresh := serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keyring(t, db, 1))
			name := fmt.Sprintf("desk-%d", rand.IntN(8))
			got, err := opened(t, fresh, owner(), name)
			require.NoError(t, err, "every secret opens at every moment")
			require.Equal(t, "secret of acme "+name, got)
		}
		require.NotZero(t, cut)
		require.NoError(t, keys.Rotate(t.Context(), agents.PlaceOf, quiet))
		requireRotated(t, keys)
	})
}

// TestNewMasterKey rotates to another master key, after which the old one is
// not needed.
func TestNewMasterKey(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		manyDesks(t, serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keyring(t, db, 1)))
		both, err := vault.NewKeyring(db, masterKey(t, 2), masterKey(t, 1))
		require.NoError(t, err)
		got, err := opened(t, serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, both), owner(), "desk-0")
		require.NoError(t, err)
		require.Equal(t, "secret of acme desk-0", got)
		require.NoError(t, both.Rotate(t.Context(), agents.PlaceOf, quiet))
		only := serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keyring(t, db, 2))
		got, err = opened(t, only, owner(), "desk-0")
		require.NoError(t, err)
		require.Equal(t, "secret of acme desk-0", got)
		_, err = opened(t, serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keyring(t, db, 1)), owner(), "desk-0")
		require.ErrorIs(t, err, vault.ErrSealed)
	})
}

// TestWhatWasSealedBeforeThereWereDataKeys opens, and is sealed anew.
func TestWhatWasSealedBeforeThereWereDataKeys(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		keys := keyring(t, db, 1)
		s := serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keys)
		create(t, s, owner())
		save(t, s, owner(), "desk", "new")
		p, err := tenancy.PartitionOf("acme")
		require.NoError(t, err)
		require.NoError(t, db.Write(t.Context(), p, func(ctx context.Context) error {
			rows, err := db.SealedRows(ctx)
			require.NoError(t, err)
			row := rows[0]
			place := agents.PlaceOf(row, "api_key", "old")
			box, err := masterKey(t, 1).Box(vault.PurposeVault).Seal([]byte("old secret"), place...)
			require.NoError(t, err)
			old, err := json.Marshal(map[string]models.SealedSecret{"api_key": {ID: "old", Box: box}})
			require.NoError(t, err)
			changed, err := db.ResealRow(ctx, row, string(old))
			require.True(t, changed)
			return err
		}))
		for range 2 {
			got, err := opened(t, s, owner(), "desk")
			require.NoError(t, err)
			require.Equal(t, "old secret", got)
			require.NoError(t, keys.Rotate(t.Context(), agents.PlaceOf, quiet))
		}
	})
}

// TestBoxesAreBoundToTheirPlace moves what is sealed to every other place.
func TestBoxesAreBoundToTheirPlace(t *testing.T) {
	t.Parallel()
	db := newStore(t)
	keys := keyring(t, db, 1)
	var boxes [2][]byte
	for i, tenant := range []string{"acme", "globex"} {
		p, err := tenancy.PartitionOf(tenant)
		require.NoError(t, err)
		require.NoError(t, db.Write(t.Context(), p, func(ctx context.Context) (err error) {
			boxes[i], err = keys.Seal(ctx, tenant, []byte("x"), "settings", tenant, "agent", "slug", "", "key", "1")
			return err
		}))
	}
	open := func(tenant string, box []byte, place ...string) error {
		_, err := keys.Open(t.Context(), tenant, box, place...)
		return err
	}
	right := []string{"settings", "acme", "agent", "slug", "", "key", "1"}
	require.NoError(t, open("acme", boxes[0], right...))
	for i := range right {
		moved := append([]string{}, right...)
		moved[i] += "x"
		require.ErrorIs(t, open("acme", boxes[0], moved...), vault.ErrSealed, "%q", moved)
	}
	require.ErrorIs(t, open("acme", boxes[0], "settings", "acme", "agents", "lug", "", "key", "1"), vault.ErrSealed, "fields do not run into each other")
	require.ErrorIs(t, open("globex", boxes[0], right...), vault.ErrSealed)
	require.ErrorIs(t, open("acme", boxes[1], right...), vault.ErrSealed, "another tenant's key")
	require.ErrorIs(t, open("", boxes[0], right...), vault.ErrSealed)
	for i := range boxes[0] {
		bent := append([]byte{}, boxes[0]...)
		bent[i] ^= 1
		require.Error(t, open("acme", bent, right...), "byte %d", i)
		require.Error(t, open("acme", boxes[0][:i], right...), "cut at %d", i)
	}
	require.NotContains(t, strings.ToLower(fmt.Sprintf("%v %+v %#v", keys, keys, keys)), "kek")
}

// paused is a store that does something else between what a change reads and what
// it stores.
type paused struct {
	*store.Store
	afterRead, beforeSave func()
}

func (p *paused) ToolkitSetting(ctx context.Context, agentID, slug string) (models.ToolkitSettings, error) {
	found, err := p.Store.ToolkitSetting(ctx, agentID, slug)
	if p.afterRead != nil {
		p.afterRead()
	}
	return found, err
}

func (p *paused) SaveToolkitSettings(ctx context.Context, t models.ToolkitSettings) error {
	if p.beforeSave != nil {
		p.beforeSave()
	}
	return p.Store.SaveToolkitSettings(ctx, t)
}

// TestNoSecretIsLeftUnderAKeyThatGoes rotates in the middle of a change, on the
// database that lets two write at the same time.
func TestNoSecretIsLeftUnderAKeyThatGoes(t *testing.T) {
	t.Parallel()
	for name, pause := range map[string]func(p *paused, rotate func()){
		"after the old value was read": func(p *paused, rotate func()) { p.afterRead = rotate },
		"after the new value was sealed": func(p *paused, rotate func()) {
			p.beforeSave = func() {
				done := make(chan struct{})
				go func() { defer close(done); rotate() }()
				select { // it waits for this change, unless nothing makes it wait
				case <-done:
				case <-time.After(time.Second):
				}
			}
		},
	} {
		for kind, sent := range map[string]string{"a new secret": "new secret", "a kept secret": agents.Mask} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				db := open(t, storetest.Postgres(t))
				keys := keyring(t, db, 1)
				s := serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keys)
				create(t, s, owner())
				save(t, s, owner(), "desk", "old secret")

				var once sync.Once
				var rotations sync.WaitGroup
				during := &paused{Store: db}
				pause(during, func() {
					once.Do(func() {
						rotations.Add(1)
						defer rotations.Done()
						if err := keys.Rotate(context.Background(), agents.PlaceOf, quiet); err != nil {
							t.Errorf("rotate: %v", err)
						}
					})
				})
				slow := serviceWith(t, during, registry(t, "fs_export"), policy.Tooling{}, keys)
				params := fmt.Sprintf(`{"region":"us","api_key":%q}`, sent)
				_, err := slow.Configure(as(t, owner()), "desk", "fs_export", agents.Change{Params: value(t, params)})
				require.NoError(t, err)
				rotations.Wait()

				fresh := serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keyring(t, db, 1))
				got, err := opened(t, fresh, owner(), "desk")
				require.NoError(t, err)
				if sent == agents.Mask {
					sent = "old secret"
				}
				require.Equal(t, sent, got)
			})
		}
	}
}

// TestMovedDataKeysDoNotUnwrap gives a tenant the wrapped key of another.
func TestMovedDataKeysDoNotUnwrap(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		acme, err := tenancy.PartitionOf("acme")
		require.NoError(t, err)
		globex, err := tenancy.PartitionOf("globex")
		require.NoError(t, err)
		var box []byte
		var key models.DataKey
		require.NoError(t, db.Write(t.Context(), acme, func(ctx context.Context) (err error) {
			if box, err = keyring(t, db, 1).Seal(ctx, "acme", []byte("x"), "place"); err != nil {
				return err
			}
			key, _, err = db.CurrentDataKey(ctx)
			return err
		}))
		key.TenantID = "globex"
		require.NoError(t, db.Write(t.Context(), globex, func(ctx context.Context) error { return db.CreateDataKey(ctx, key) }))
		_, err = keyring(t, db, 1).Open(t.Context(), "acme", box, "place")
		require.NoError(t, err)
		_, err = keyring(t, db, 1).Open(t.Context(), "globex", box, "place")
		require.ErrorIs(t, err, vault.ErrSealed)
		require.ErrorContains(t, err, "does not unwrap")
	})
}
