package server

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	dataName        = "pgdata"
	lockName        = "lock"
	initPrefix      = "pgdata.init-"
	ephemeralPrefix = "rowlock-ephemeral-"
)

// ErrInUse says that another process uses the data directory.
var ErrInUse = errors.New("the data directory is in use by another Rowlock")

// makeDir creates the data directory, or a temporary one for an ephemeral server, and checks that
// the user that the server will run as can reach it. The returned path is absolute and free of
// symbolic links.
func makeDir(o Options, user *account) (string, error) {
	dir := o.DataDir
	if o.Ephemeral {
		temp := cmp.Or(o.TempDir, os.TempDir())
		sweepEphemeral(temp)
		made, err := os.MkdirTemp(temp, ephemeralPrefix)
		if err != nil {
			// A container without a PostgreSQL may have no directory for temporary files either,
			// but that is not what its user needs to know.
			_, missing := Find(o.BinDir, 0)
			return "", cmp.Or(missing, err)
		}
		dir = made
	} else if err := os.MkdirAll(dir, user.dirMode()); err != nil {
		return "", fmt.Errorf("data directory: %w", err)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", fmt.Errorf("data directory: %w", err)
	}
	if err := user.openTo(dir); err != nil {
		if o.Ephemeral {
			err = errors.Join(err, os.Remove(dir))
		}
		return "", err
	}
	return dir, nil
}

// lockDir takes the directory's lock, which the operating system releases however the process ends.
// It does not follow a link in its place.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE|noFollow, 0o644)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	taken, err := tryLock(f)
	if err == nil && !taken {
		holder := make([]byte, 32)
		n, _ := f.ReadAt(holder, 0) // a message without the process id is enough
		err = fmt.Errorf("%w: %s, process %s", ErrInUse, dir, strings.TrimSpace(string(holder[:n])))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := f.Truncate(0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := fmt.Fprintf(f, "%d\n", os.Getpid()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// sweepEphemeral removes what ephemeral servers left in temp that were killed together with their
// watchers.
// Young directories are spared: their owner may be between creating and locking them. What cannot
// be removed stays, which does no harm.
func sweepEphemeral(temp string) {
	left, _ := filepath.Glob(filepath.Join(temp, ephemeralPrefix+"*")) // only fails for malformed patterns
	for _, dir := range left {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|noFollow, 0)
		if err != nil {
			continue // another user's
		}
		if free, err := tryLock(f); err == nil && free {
			_ = os.RemoveAll(dir)
		}
		_ = f.Close()
	}
}

// shortName returns a name for dir that is the same at every start and differs from that of any
// other directory.
func shortName(dir string) string {
	return fmt.Sprintf("rowlock-%x", sha256.Sum256([]byte(dir)))[:len("rowlock-")+12]
}
