package store

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

func openGuarded(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{DSN: filepath.Join(t.TempDir(), "x.db")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.Migrate(t.Context()))
	return s
}

// statements are all the ways in which GORM reaches a partitioned table.
func statements() map[string]func(db *gorm.DB) error {
	agent := models.Agent{ID: "x", Name: "x", Visibility: models.VisibilityPrivate}
	return map[string]func(db *gorm.DB) error{
		"find":   func(db *gorm.DB) error { return db.Find(&[]models.Agent{}).Error },
		"take":   func(db *gorm.DB) error { return db.Where("tenant_id = ?", "alpha").Take(&models.Agent{}).Error },
		"table":  func(db *gorm.DB) error { return db.Table("agents").Find(&[]map[string]any{}).Error },
		"count":  func(db *gorm.DB) error { return db.Model(&models.Agent{}).Count(new(int64)).Error },
		"rows":   func(db *gorm.DB) error { return rowsError(db.Model(&models.Agent{})) },
		"raw":    func(db *gorm.DB) error { return db.Raw("SELECT 1").Scan(new(int)).Error },
		"exec":   func(db *gorm.DB) error { return db.Exec("DELETE FROM agents").Error },
		"create": func(db *gorm.DB) error { return db.Create(&agent).Error },
		"map": func(db *gorm.DB) error {
			return db.Model(&models.Agent{}).Create(map[string]any{"ID": "x", "TenantID": "alpha"}).Error
		},
		"update": func(db *gorm.DB) error {
			return db.Model(&models.Agent{}).Where("id = ?", "x").Updates(map[string]any{"name": "y"}).Error
		},
		"delete": func(db *gorm.DB) error { return db.Where("id = ?", "x").Delete(&models.Agent{}).Error },
	}
}

func rowsError(db *gorm.DB) error {
	rows, err := db.Rows()
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	return rows.Err()
}

func TestGuardRefusesWhatIsNotScoped(t *testing.T) {
	t.Parallel()
	s := openGuarded(t)
	for name, statement := range statements() {
		require.ErrorIs(t, statement(s.writer.WithContext(t.Context())), ErrUnscoped, name)
		require.ErrorIs(t, statement(s.reader.WithContext(t.Context())), ErrUnscoped, name)
		if name == "raw" || name == "exec" {
			continue // raw SQL names no table; a mark is all it can have
		}
		require.ErrorIs(t, statement(s.globalWrite(t.Context())), ErrUnscoped, name)
	}
}

func TestGuardRefusesGlobalTablesWithoutAMark(t *testing.T) {
	t.Parallel()
	s := openGuarded(t)
	db := s.writer.WithContext(t.Context())
	require.ErrorIs(t, db.Find(&[]models.User{}).Error, ErrUnscoped)
	require.ErrorIs(t, db.Create(&models.User{ID: "x"}).Error, ErrUnscoped)
}

func TestGuardRefusesChangesInRead(t *testing.T) {
	t.Parallel()
	s := openGuarded(t)
	require.NoError(t, s.Read(t.Context(), tenancy.Global(), func(ctx context.Context) error {
		for _, name := range []string{"create", "update", "delete"} {
			require.ErrorIs(t, statements()[name](s.scoped(ctx)), ErrReadOnly, name)
		}
		require.ErrorIs(t, s.UpsertTenant(ctx, models.Tenant{ID: "x"}), ErrReadOnly)
		return nil
	}))
	_, err := s.reads.ExecContext(t.Context(), "DELETE FROM agents")
	require.ErrorContains(t, err, "readonly", "the connections themselves refuse as well")
}

func TestScopedStatementsAreBoundToTheUnit(t *testing.T) {
	t.Parallel()
	s := openGuarded(t)
	require.NoError(t, s.Write(t.Context(), tenancy.Global(), func(ctx context.Context) error {
		agents := []models.Agent{
			{TenantID: "alpha", ID: "1", Name: "a", Visibility: models.VisibilityPrivate},
			{ID: "2", Name: "b", Visibility: models.VisibilityPrivate},
		}
		require.NoError(t, s.scoped(ctx).Create(&agents).Error)
		require.Equal(t, tenancy.Global().Stored(), agents[0].TenantID)
		require.Equal(t, tenancy.Global().Stored(), agents[1].TenantID)
		return nil
	}))
}
