//go:build !nofilter

package store

import "gorm.io/gorm"

// filter is the wall inside this program: it binds a statement to the rows of
// a partition. With the build tag nofilter the tests put another in its place
// that does nothing, to show that the wall inside PostgreSQL holds alone; there
// is no such program.
func filter(db *gorm.DB, partition string) *gorm.DB {
	return db.Where("tenant_id = ?", partition)
}
