// Package behaviour holds the tests of what an outside client sees of a cluster: every request goes through HTTP, every
// expectation is that of Kubernetes. The tests bear the numbers of the behaviours that they prove, and so do those of the
// other packages; TestCoverage keeps the list of all numbers and finds the ones that no test bears.
package behaviour
