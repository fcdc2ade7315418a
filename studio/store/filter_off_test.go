//go:build nofilter

package store

import "gorm.io/gorm"

// filter does nothing, so that row security is all there is.
func filter(db *gorm.DB, _ string) *gorm.DB { return db }
