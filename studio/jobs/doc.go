// Package jobs runs work in the background: turns that go on, and approvals
// that expire. A job is enqueued in the transaction of the row it belongs to,
// so that neither exists without the other, and runs on any replica, after any
// restart, at least once. Handlers must therefore bear being run again.
//
// The work is kept and handed out by River. On PostgreSQL a job starts when its
// transaction commits, by LISTEN/NOTIFY; on SQLite the queue is looked at every
// few milliseconds.
package jobs
