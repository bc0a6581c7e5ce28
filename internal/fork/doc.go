// Package fork keeps the databases of clusters that were forked from this one: each a copy of a
// migrated template, filled by the caller, and a row of the table forks that announces it to every
// replica. Package cluster runs the replicas over such a database.
//
// A row says making, ready or removing. A process that makes or removes a fork holds a session lock
// meanwhile. A row that is not ready and whose lock is free was left by a process that died, and
// the next Sweep removes it: a fork exists completely, or not at all.
package fork
