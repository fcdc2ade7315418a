// Package store keeps Agent Studio's records in SQLite or PostgreSQL. With
// package migrations it is the only place that knows GORM.
//
// All work on partitioned records happens in a unit of work, which binds the
// context to one partition:
//
//	err := s.Write(ctx, partition, func(ctx context.Context) error {
//		return s.CreateAgent(ctx, agent, version)
//	})
//
// Nothing can leave that partition: every query starts from one private method
// that adds the tenant, what is created is stamped with it, and a callback
// refuses any statement on a partitioned table that came another way.
//
// On PostgreSQL that is the first of two walls. Row security is the second: each
// unit is a transaction that carries its partition in the setting app.tenant,
// and without it no row of any partition can be seen or added. It binds only a
// role that owns nothing, so the store refuses to serve with another; see
// [ErrWrongRole] and [Config].AllowOwner.
//
// What must be read before a tenant is known (who may sign in, and which turns
// are unfinished) has no partition and needs no unit; isGlobal lists it. Nothing
// looks across partitions: what is done for all of them, as [Store.OpenTurns]
// is, happens in a unit of each.
//
// A database whose schema is not exactly what this build's migrations made is
// not used: everything fails with code studio_storage_unavailable until it is
// set right; see [Store.Usable].
//
// Each change of state is one conditional UPDATE that takes the time from the
// database's clock, so that of any number of racing callers exactly one wins
// and no replica's clock matters.
package store
