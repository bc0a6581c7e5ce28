package kind

import (
	"net/netip"
)

// Pool is where Allocate gets values that only one object of the cluster may have, such as
// addresses and ports. Values are identified by keys ("clusterip/10.96.0.1"); the keys that an
// object holds are its Kind's Reservations, which the store keeps unique.
type Pool struct {
	// Taken reports whether another object holds the key, as far as this replica knows. If it is
	// wrong, the store rejects the write.
	Taken func(key string) bool
	// Draw returns a random number in [0, n): where the search for a free key starts.
	Draw func(n int) int
	// Ranges are the ranges of Service addresses, in order; nil means only the default range.
	Ranges []netip.Prefix
}
