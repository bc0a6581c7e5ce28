//go:build !linux

package pg

import "syscall"

// limitUnacknowledged does nothing where the system has no such limit; keepalives remain.
func limitUnacknowledged(_, _ string, _ syscall.RawConn) error { return nil }
