//go:build !windows

package tenancy

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock takes an exclusive or shared lock on f without waiting, and reports whether it could. It
// replaces a lock that f already has.
func lock(f *os.File, exclusive bool) (bool, error) {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// unlock releases it.
func unlock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }
