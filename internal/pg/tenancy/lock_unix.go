//go:build !windows

package tenancy

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock takes a lock on f without waiting, an exclusive or a shared one, and says whether it could. A lock that f has already is exchanged.
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

// unlock gives it back.
func unlock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }
