// Package preview says what would happen if somebody scaled a workload or deleted an object, and does nothing. It takes the mirror at
// one revision (or, where more than 500 objects are concerned, reads it in pieces), puts the change into a copy of what is concerned, and asks the reconcilers what they make of it: their own
// functions, as the workers call them. What it costs grows with the family that is concerned, not with the cluster.
//
// A preview is right as long as nothing else happens meanwhile.
package preview
