// Package mirror is the log in memory: every process follows the log into one Mirror and serves GET, LIST and WATCH from it.
//
// PostgreSQL is authoritative; the mirror is a prefix of it. It holds, at one revision at a time, the newest version of
// every object in the order in which clients list them, the indexes that reconcilers need, and for each resource a
// window of the latest changes, from which watches are fed.
//
// Two sources feed it, in one order. What this process commits it is told of (Committed) and applies as soon as it is
// next in line; everything else it reads from the log (Run), woken by a notification and, as notifications are only
// hints, by a timer. Revisions are gapless, so "next in line" needs no guessing: what comes early waits, what comes
// twice is dropped.
//
// Reads are as fresh as the database: Fresh waits until the mirror has reached a revision that was read from the
// database by a query that began after the call. One query serves all who wait.
//
// When the database cannot be reached for MaxStale, the mirror is not ready: reads fail, watches end. On every
// reconnect it makes sure that the database still has what it has applied; if not, it was set back, and the mirror
// loads again and ends its watches with ErrCompacted (S12).
package mirror
