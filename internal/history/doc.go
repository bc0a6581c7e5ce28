// Package history checks what a cluster did, after the fact, by its log: every version of every object, in the order
// in which they were committed.
//
// A History is read from the table (Read) or made by a test. The checks are pure functions of it; each says what it
// found wrong as Violations, none for a history that is right:
//
//	Chain        revisions have no gaps, time does not go back, versions of an object follow one another
//	Holds        what clients were told is committed is there
//	ReplicaSets  no Pod was created beyond what its ReplicaSet asked for
//	DaemonSets   no Pod was created for a node beside another of its DaemonSet, but for a surge
//	StatefulSets Pods had their ordinals, names and claims, and came and went in order
//	Deployments  rolling updates kept to maxSurge and maxUnavailable at every revision
//	Pods         every Pod was created, bound and run in revisions of their own, with the events that belong to them
//	Jobs         every Pod of a Job was counted once
//	Lives        no object took back what is for ever, none came into or stayed in a place that is closed
//	Ownership    every object had one controller at most, which selected it
//	Budgets      evictions kept to PodDisruptionBudgets
//	Capacity     no node was given more Pods than it has room for
//	Addresses    no address and no port was given twice
//	Converged    in the end there is what was asked for, and nothing else
//	Watches      watches told of every change, once, in order and as it was
//	Lists        lists were what there was, and knew of what had been acknowledged
//	Locks        nobody had a lock while another did
//	Linearizable what clients did with one object has an order
//
// Renumber makes one history of several, where a failover has begun a new one. Settled asks the database for what the log does not show.
//
// They see every state that ever was, also those that no client happened to look at.
package history
