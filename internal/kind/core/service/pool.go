package service

import (
	"errors"

	"github.com/rowlock/rowlock/internal/kind"
)

// errPoolEmpty reports that a pool is exhausted.
//
// Source: kubernetes v1.36 pkg/registry/core/service/ipallocator/interfaces.go, ErrFull
var errPoolEmpty = errors.New("range is full")

// reservedShare is the number of values at the start of a range that are allocated last, so that
// users can choose some by hand: one in step, at least least, at most most.
type reservedShare struct{ step, least, most int }

func (r reservedShare) of(size int) int {
	if size <= r.least {
		return 0
	}
	return max(r.least, min(r.most, size/r.step))
}

// takeFrom returns a free number below size. It starts at a random number above the reserved ones,
// which come last.
func takeFrom(p kind.Pool, size, reserved int, free func(n int) bool) (int, error) {
	if n, ok := search(p, reserved, size-reserved, free); ok {
		return n, nil
	}
	if n, ok := search(p, 0, reserved, free); ok {
		return n, nil
	}
	return 0, errPoolEmpty
}

// search tries the n numbers from first on, once, from a random start.
func search(p kind.Pool, first, n int, free func(n int) bool) (int, bool) {
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
