// Package kindtest provides what tests of kinds share: clusters of a few objects, admission, random
// objects.
package kindtest
