//go:build !windows

package server

import (
	"syscall"
	"time"
)

// escalation lists what stopLeftovers does, in order, and how long it then waits.
var escalation = []struct {
	tell     func(pid int)
	patience time.Duration
}{
	{func(int) {}, time.Second},
	{tell(fast), 2 * time.Second},
	{tell(quit), time.Second},
	{tell(syscall.SIGKILL), 3 * time.Second},
}

func tell(how syscall.Signal) func(int) {
	return func(pid int) { _ = syscall.Kill(pid, how) } // it may have ended; the caller checks again
}
