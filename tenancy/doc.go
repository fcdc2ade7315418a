// Package tenancy says who calls, for which tenant, and what they may see.
//
// A [Scope] is resolved once for each request, or reloaded for work that has
// no request, and travels in the context. A [Partition] is where a record
// lives. [Gate] is the first thing any tenant-bound tool meets.
package tenancy
