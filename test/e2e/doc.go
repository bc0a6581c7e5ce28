// Package e2e holds the tests of a cluster as an outside client sees it: every request goes
// through HTTP, every expectation is that of Kubernetes. The tests carry the numbers of the
// behaviours that they prove, as do those of the other packages; TestCoverage has the list of all
// numbers and finds those without a test.
package e2e
