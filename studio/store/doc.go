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
// What must be read before a tenant is known (tenants, users, memberships,
// login sessions) has no partition and needs no unit. [Store.OpenTurns] is the
// one method that looks across partitions; it returns references only.
//
// Each change of state is one conditional UPDATE that takes the time from the
// database's clock, so that of any number of racing callers exactly one wins
// and no replica's clock matters.
package store
