// Package store is Rowlock's storage: the heads of all objects, the log of all their versions, and
// the counter that numbers them. It is the only package that assigns revisions.
//
// Every committed change is one row of `log`. Its revision comes from the one-row table `revision`,
// whose row lock is held until the commit is durable: commits are ordered, revisions have no gaps,
// and a follower only needs to ask "what is newer than the last revision I saw" (S3).
//
// A write goes through the SQL function apply (migrations/functions/apply.sql), in one round trip.
// Its three steps rule out deadlocks (S1, S2):
//
//  1. lock the heads of the changed objects, skipping those that are locked; compare their
//     revisions with what each change was computed from;
//  2. lock the counter: this is the only wait, and the holder of the counter waits for nothing;
//  3. under the counter, recheck what row locks cannot protect (names, namespaces), number the
//     changes that passed, write them, and wake the controllers concerned.
//
// There are two callers. Clients' requests go through Write, which collects the writes that arrive
// while the previous commit flushes and commits them together (S9); each change is judged alone.
// Workers keep a transaction open from claim to commit, and write in it through Store.Commit. Both
// feed what they committed to the mirror of their own process, so that it need not be read back.
//
// Every process cleans up after itself: Run vacuums what commits leave behind (S13), and
// RunCompaction deletes the versions that Config.Retention does not keep, under a row lock that it
// takes page by page (S8).
//
// When a connection is lost around a commit, nothing is retried blindly: the change's uid is looked
// up in the log (S11).
package store
