// Package wakeup is Rowlock's due work: which controller must sync which object, and when.
//
// A wakeup is a row (controller, uid, due). The rows are the work queue and the timer wheel in one,
// and the only record of the work still to do:
//
//   - They are inserted in the transaction of the change that asks for the sync, never updated, and
//     deleted with their object (S6).
//   - A Router determines which controllers a change wakes, as far as the change itself can tell,
//     by what each declares: For, Owns, Adopts, Selects, Watches. It knows no kind of object. What
//     only the database can tell at that instant (the dependents of a deleted object, the objects
//     whose selector matches, whether an owner is being deleted) is decided by the SQL function
//     apply, under the counter (S7).
//   - A worker claims objects with due wakeups by locking the objects' rows, reads the ids of their
//     wakeups after the lock, and acknowledges exactly those ids in the transaction that applies
//     its plan. A worker that dies before it commits has acknowledged nothing, and its row locks go
//     with its connection: another worker takes the objects at once.
//   - A wakeup that arrives while its object is claimed has a new id, is not acknowledged, and is
//     seen by the next claim.
package wakeup
