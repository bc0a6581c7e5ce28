// Package history checks what a cluster did, after the fact, by its log: every version of every
// object, in commit order.
//
// A History is read from the table (Read) or made by a test. The checks are pure functions of it;
// each returns what it found wrong as Violations, none for a correct history:
//
//	Chain        revisions have no gaps, time does not go back, versions of an object follow one another
//	Holds        acknowledged writes exist
//	ReplicaSets  no Pod was created beyond what its ReplicaSet asked for
//	DaemonSets   no Pod was created for a node beside another of its DaemonSet, except for a surge
//	StatefulSets Pods had their ordinals, names and claims, and came and went in order
//	Deployments  rolling updates kept to maxSurge and maxUnavailable at every revision
//	Pods         every Pod was created, bound and run in revisions of their own, with the events that belong to them
//	Jobs         every Pod of a Job was counted once
//	Lives        no object took back what is final, none was created or stayed in a closed place
//	Ownership    every object had at most one controller, which selected it
//	Budgets      evictions respected PodDisruptionBudgets
//	Capacity     no node was given more Pods than it has room for
//	Addresses    no address and no port was assigned twice
//	Converged    in the end the desired state exists, and nothing else
//	Watches      watches delivered every change, once, in order and unaltered
//	Lists        lists were the actual state, and included all acknowledged writes
//	Locks        no two clients held a lock at the same time
//	Linearizable the clients' operations on one object have an order
//
// Renumber turns several histories into one, if a failover has begun a new one. Settled queries the
// database for what the log does not show.
//
// They see every state that ever existed, including those that no client observed.
package history
