// Package engine connects the pure reconcilers with the database: it claims due work, shows it to
// controllers, and applies what they plan. It knows no controller and no kind of object: package
// controller has those.
//
// There is one loop for all reconcilers (Worker.once):
//
// 1. claim: lock objects with due wakeups, skipping locked ones; then read the wakeups' ids and the
// revision;
// 2. wait until the mirror has reached that revision, and take snapshots from it;
// 3. reconcile: snapshots in, plans out;
// 4. apply all plans, acknowledge exactly the ids of step 1, and commit, in one message.
//
// All four happen in one transaction, under the locks of step 1. Any replica may run any of it, at
// any time: there is no leader. A process that dies drops its locks with its connection, and its
// wakeups are still there.
//
// Failures are isolated. A change whose object is locked or has moved on is left out alone, and its
// object is synced again after a short pause. A reconciler or a commit that fails replaces the
// wakeups by one that is retried after a back-off, doubling from 5 ms to 16 minutes. Both pauses
// are real time, whatever the cluster's clock does.
package engine
