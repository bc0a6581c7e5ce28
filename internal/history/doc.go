// Package history checks what a cluster did, after the fact, by its log: every version of every object, in the order
// in which they were committed.
//
// A History is read from the table (Read) or made by a test. The checks are pure functions of it; each says what it
// found wrong as Violations, none for a history that is right:
//
//	Chain        revisions have no gaps, time does not go back, versions of an object follow one another
//	Holds        what clients were told is committed is there
//	ReplicaSets  no Pod was created beyond what its ReplicaSet asked for
//	Deployments  rolling updates kept to maxSurge and maxUnavailable at every revision
//	Pods         every Pod was created, bound and run in revisions of their own, with the events that belong to them
//
// They see every state that ever was, also those that no client happened to look at.
package history
