// Package preview computes what scaling a workload or deleting an object would do, without doing
// it. It copies the objects concerned from the mirror at one revision (in pieces, if there are more
// than 500), makes the change in the copy, and calls the reconcilers' own functions on it, as
// workers do. Its cost grows with the objects concerned, not with the cluster.
//
// A preview is right as long as nothing else happens meanwhile.
package preview
