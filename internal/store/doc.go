// Package store is Rowlock's storage: the heads of all objects, the log of all their versions, and the counter that numbers
// them. It is the only package that assigns a revision.
//
// Every committed change is one row of `log`. Its revision comes from the one-row table `revision`, whose row lock is
// held until the commit is durable: commits have an order, revisions no gaps, and a follower needs nothing but
// "what is newer than the last I saw" (S3).
//
// A write goes through the SQL function apply (migrations/functions/apply.sql), in one round trip, in three steps that keep
// it from ever waiting in a circle (S1, S2):
//
//  1. lock the heads of what it changes, skipping those that are locked; compare their revisions with what the change was
//     computed from;
//  2. lock the counter: the only wait, and whoever holds the counter waits for nothing;
//  3. under the counter recheck what row locks cannot hold (names, namespaces), number what passed, write it, wake
//     whoever must look.
//
// Two callers write. Clients' requests go through Write, which gathers what arrives while the last commit flushes and
// commits it together (S9); each change is judged alone. Workers hold a transaction open from claim to commit, and write
// through Batch.Apply in it. Both feed what they committed to the mirror of their own process, so that it need
// not be read back.
//
// Every process cleans up behind itself: Run vacuums what commits leave (S13), and RunCompaction forgets the versions
// that Config.Retention does not keep, under a row lock that is taken page by page (S8).
//
// When a connection is lost around a commit nothing is retried blindly: the change's uid is looked up in the log (S11).
package store
