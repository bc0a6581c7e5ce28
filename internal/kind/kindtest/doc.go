// Package kindtest provides helpers for tests of kinds: small clusters, admission, random objects.
package kindtest
