package kind

import (
	"net/netip"
)

// Pool is where a kind's Allocate takes what only one object of the cluster may have, as addresses
// and ports. Things are named by keys ("clusterip/10.96.0.1"); those that an object holds are its
// Kind's Reservations, which the store keeps unique.
type Pool struct {
	// Taken says whether another object than the one at hand holds the key, as far as is known. It
	// may be wrong: the store refuses what is taken after all.
	Taken func(key string) bool
	// Draw returns a number from 0 up to, not including, n: where the search for a free key begins.
	Draw func(n int) int
	// Ranges are where Services get addresses from, in this order; nil for the default range alone.
	Ranges []netip.Prefix
}
