package kind

import (
	"errors"
	"net/netip"
)

// Pool is where a kind's Allocate takes what only one object of the cluster may have, as addresses and ports. Things are
// named by keys ("clusterip/10.96.0.1"); those that an object holds are its Kind's Reservations, which the store keeps
// unique.
type Pool struct {
	// Taken says whether another object than the one at hand holds the key, as far as is known. It may be wrong: the
	// store refuses what is taken after all.
	Taken func(key string) bool
	// Draw returns a number from 0 up to, not including, n: where the search for a free key begins.
	Draw func(n int) int
	// Ranges are where Services get addresses from, in this order; nil for the default range alone.
	Ranges []netip.Prefix
}

// errPoolEmpty says that everything in a pool is taken.
//
// Source: kubernetes v1.36 pkg/registry/core/service/ipallocator/interfaces.go, ErrFull
var errPoolEmpty = errors.New("range is full")

// reservedShare is how many numbers at a range's beginning are given out only when all others are taken, so that there
// are some to choose by hand: one in step, at least least, at most most.
type reservedShare struct{ step, least, most int }

func (r reservedShare) of(size int) int {
	if size <= r.least {
		return 0
	}
	return max(r.least, min(r.most, size/r.step))
}

// take finds a number below size that is free, beginning anywhere above the first reserved ones, which come last.
func (p Pool) take(size, reserved int, free func(n int) bool) (int, error) {
	if n, ok := p.search(reserved, size-reserved, free); ok {
		return n, nil
	}
	if n, ok := p.search(0, reserved, free); ok {
		return n, nil
	}
	return 0, errPoolEmpty
}

// search looks through the n numbers from first on, once round.
func (p Pool) search(first, n int, free func(n int) bool) (int, bool) {
	if n == 0 {
		return 0, false
	}
	start := p.Draw(n)
	for i := range n {
		if at := first + (start+i)%n; free(at) {
			return at, true
		}
	}
	return 0, false
}
