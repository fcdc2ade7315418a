package vault

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"
	"github.com/tink-crypto/tink-go/v2/aead/subtle"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// KeyStore keeps the data keys of tenants. All but the units and VaultTenants
// need a unit of their partition.
type KeyStore interface {
	Read(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	Write(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error

	// CurrentDataKey returns the key to seal with, which stays that until a Write
	// has ended, and false without one.
	CurrentDataKey(ctx context.Context) (models.DataKey, bool, error)
	DataKey(ctx context.Context, id string) (models.DataKey, error)
	// DataKeys returns all keys; sealing waits until a Write with it has ended.
	DataKeys(ctx context.Context) ([]models.DataKey, error)
	CreateDataKey(ctx context.Context, k models.DataKey) error
	RetireDataKey(ctx context.Context, id string) (bool, error)
	DeleteDataKey(ctx context.Context, id string) (bool, error)

	VaultTenants(ctx context.Context) ([]string, error)
	SealedRows(ctx context.Context) ([]models.SealedRow, error)
	ResealRow(ctx context.Context, row models.SealedRow, secrets string) (bool, error)
}

const (
	// keyringVersion is the first byte of what a [Keyring] seals; the id of the data
	// key follows.
	keyringVersion = 2
	header         = 1 + len(uuid.UUID{})
	// maxCached is how many data keys are kept unwrapped.
	maxCached = 10_000
)

// Keyring seals the secrets of each tenant with data keys of its own, which are
// stored wrapped by a master key. It may be used from any goroutine.
type Keyring struct {
	stars
	store   KeyStore
	masters []master // the first one wraps

	mu     sync.Mutex
	cached map[string]*subtle.XChaCha20Poly1305 // by data key
}

// master is a master key, as far as the vault needs it.
type master struct {
	id     string
	kek    *subtle.XChaCha20Poly1305
	legacy Box // what was sealed before there were data keys
}

// NewKeyring returns the keyring of a master key. Previous ones still open what
// they sealed and wrapped, until it is rotated.
func NewKeyring(store KeyStore, key MasterKey, previous ...MasterKey) (*Keyring, error) {
	k := &Keyring{store: store, cached: map[string]*subtle.XChaCha20Poly1305{}}
	for _, m := range append([]MasterKey{key}, previous...) {
		if m.IsZero() {
			return nil, ErrNoKey
		}
		raw := m.Derive(PurposeWrap)
		kek, err := subtle.NewXChaCha20Poly1305(raw[:])
		if err != nil {
			return nil, fmt.Errorf("vault: make a cipher of a master key: %w", err)
		}
		k.masters = append(k.masters, master{id: m.id(), kek: kek, legacy: m.Box(PurposeVault)})
	}
	return k, nil
}

// Seal returns plaintext sealed for a place of a tenant, in a Write of its
// partition: until that has ended, the key it took is current. See [Box.Seal] for
// places.
func (k *Keyring) Seal(ctx context.Context, tenant string, plaintext []byte, place ...string) ([]byte, error) {
	key, err := k.current(ctx, tenant)
	if err != nil {
		return nil, err
	}
	return k.sealWith(key, tenant, plaintext, place)
}

func (k *Keyring) sealWith(key models.DataKey, tenant string, plaintext []byte, place []string) ([]byte, error) {
	aead, err := k.unwrapped(key)
	if err != nil {
		return nil, err
	}
	id, err := uuid.Parse(key.ID)
	if err != nil {
		return nil, fmt.Errorf("vault: the id of a data key: %w", err)
	}
	box := append([]byte{keyringVersion}, id[:]...)
	sealed, err := aead.Encrypt(plaintext, placed(box, tenant, place))
	if err != nil {
		return nil, fmt.Errorf("vault: seal: %w", err)
	}
	return append(box, sealed...), nil
}

// placed is what a box is bound to: version, key, tenant and place.
func placed(head []byte, tenant string, place []string) []byte {
	return append(bytes.Clone(head), associated(append([]string{tenant}, place...))...)
}

// Open returns what was sealed for the same place of the same tenant, or
// [ErrSealed]. It needs no unit.
func (k *Keyring) Open(ctx context.Context, tenant string, box []byte, place ...string) ([]byte, error) {
	if len(box) > 0 && box[0] == boxVersion {
		return k.openLegacy(box, place)
	}
	id, ok := keyOf(box)
	if !ok {
		return nil, ErrSealed
	}
	aead, err := k.find(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	plaintext, err := aead.Decrypt(box[header:], placed(box[:header], tenant, place))
	if err != nil {
		return nil, ErrSealed // the cause says no more
	}
	return plaintext, nil
}

func (k *Keyring) openLegacy(box []byte, place []string) ([]byte, error) {
	for _, m := range k.masters {
		if plaintext, err := m.legacy.Open(box, place...); err == nil {
			return plaintext, nil
		}
	}
	return nil, ErrSealed
}

// keyOf returns the id of the data key that a box is sealed with, and false for
// what no keyring sealed.
func keyOf(box []byte) (string, bool) {
	if len(box) < header || box[0] != keyringVersion {
		return "", false
	}
	return uuid.UUID(box[1:header]).String(), true
}

// Fresh reports whether a box is sealed with the tenant's current key, in a Write
// of its partition.
func (k *Keyring) Fresh(ctx context.Context, tenant string, box []byte) (bool, error) {
	key, err := k.current(ctx, tenant)
	if err != nil {
		return false, err
	}
	id, ok := keyOf(box)
	return ok && id == key.ID, nil
}

// current returns the tenant's current key, and makes the first one.
func (k *Keyring) current(ctx context.Context, tenant string) (models.DataKey, error) {
	// Twice: whoever waited for a rotation finds that the key is gone, and then the
	// next one.
	for range 2 {
		if key, ok, err := k.store.CurrentDataKey(ctx); err != nil || ok {
			return key, err
		}
	}
	if err := k.create(ctx, tenant, 1); err != nil {
		return models.DataKey{}, err
	}
	key, ok, err := k.store.CurrentDataKey(ctx) // of whoever was first
	if err == nil && !ok {
		err = errors.New("vault: a tenant has no key, and can be given none")
	}
	return key, err
}

// create makes a data key, wrapped by the first master key.
func (k *Keyring) create(ctx context.Context, tenant string, number int) error {
	raw := make([]byte, KeySize)
	_, _ = rand.Read(raw) // never fails
	key := models.DataKey{TenantID: tenant, ID: models.NewID(), Number: number, Master: k.masters[0].id}
	var err error
	if key.Wrapped, err = k.masters[0].kek.Encrypt(raw, wrapping(key)); err != nil {
		return fmt.Errorf("vault: wrap a data key: %w", err)
	}
	return k.store.CreateDataKey(ctx, key)
}

// wrapping is what a wrapped key is bound to.
func wrapping(key models.DataKey) []byte {
	return associated([]string{"data key", key.TenantID, key.ID})
}

// find returns the cipher of a data key of a tenant.
func (k *Keyring) find(ctx context.Context, tenant, id string) (*subtle.XChaCha20Poly1305, error) {
	k.mu.Lock()
	aead, ok := k.cached[tenant+"/"+id]
	k.mu.Unlock()
	if ok {
		return aead, nil
	}
	p, err := tenancy.PartitionFromStored(tenant)
	if err != nil {
		return nil, ErrSealed
	}
	var key models.DataKey
	err = k.store.Read(ctx, p, func(ctx context.Context) error {
		key, err = k.store.DataKey(ctx, id)
		return err
	})
	if models.CodeOf(err) == models.CodeNotFound {
		return nil, ErrSealed
	}
	if err != nil {
		return nil, fmt.Errorf("vault: read a data key: %w", err)
	}
	return k.unwrapped(key)
}

// unwrapped returns the cipher of a data key, and remembers it.
func (k *Keyring) unwrapped(key models.DataKey) (*subtle.XChaCha20Poly1305, error) {
	name := key.TenantID + "/" + key.ID
	k.mu.Lock()
	defer k.mu.Unlock()
	if aead, ok := k.cached[name]; ok {
		return aead, nil
	}
	for _, m := range k.masters {
		if m.id != key.Master {
			continue
		}
		raw, err := m.kek.Decrypt(key.Wrapped, wrapping(key))
		if err != nil {
			return nil, errors.Join(ErrSealed, errors.New("vault: a data key does not unwrap"))
		}
		aead, err := subtle.NewXChaCha20Poly1305(raw)
		if err != nil {
			return nil, fmt.Errorf("vault: make a cipher of a data key: %w", err)
		}
		if len(k.cached) >= maxCached {
			clear(k.cached)
		}
		k.cached[name] = aead
		return aead, nil
	}
	return nil, errors.Join(ErrSealed, errors.New("vault: the master key that wraps a data key is not here"))
}
