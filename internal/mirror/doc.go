// Package mirror is the log in memory: every process follows the log into one Mirror and serves
// GET, LIST and WATCH from it.
//
// PostgreSQL is authoritative; the mirror is a prefix of the log. It holds, at one revision at a
// time, the newest version of every object in the order in which clients list them, the indexes
// that reconcilers need, and for each resource a window of the latest changes, which feeds watches.
//
// Two sources feed it, in one order. Commits of this process are passed to Committed, and applied
// as soon as they are next in line. Everything else is read from the log (Run), after a
// notification or, as notifications are only hints, by a timer. Revisions are gapless, so "next in
// line" is certain: what comes early waits, what comes twice is dropped.
//
// Reads are as fresh as the database: Fresh waits until the mirror has reached a revision that a
// query read from the database after the call began. One query serves all waiting calls.
//
// If the database cannot be reached for MaxStale, the mirror is not ready: reads fail and watches
// end. On every reconnect it checks that the database still has what the mirror has applied. If
// not, the database was set back, and the mirror loads again and ends its watches with ErrCompacted
// (S12).
package mirror
