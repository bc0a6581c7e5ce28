// Package fork keeps the databases of clusters that were forked from this one: each a copy of a
// migrated template, filled by the caller, and a row of the table forks by which every replica
// knows of it. What runs over such a database is package cluster's.
//
// A row says making, ready or removing. Who makes or removes a fork holds a lock of its session meanwhile. A row that is not ready and
// whose lock is free was left by a process that died, and the next to Sweep brings it to its end: a fork is there whole, or not.
package fork
