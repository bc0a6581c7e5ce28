//go:build !windows

package server

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user that the server runs as instead of root, whom PostgreSQL refuses. A nil
// account is our own user.
type account struct {
	name     string
	uid, gid uint32
}

func runsAsRoot() bool { return os.Geteuid() == 0 }

// serverAccount chooses the user: ourselves unless we are root; then the owner of existing data, or
// the user "postgres" that packages create, or "nobody".
func serverAccount(dataDir string) (*account, error) {
	if !runsAsRoot() {
		return nil, nil
	}
	if info, err := os.Stat(filepath.Join(dataDir, dataName)); err == nil && dataDir != "" {
		if owner := info.Sys().(*syscall.Stat_t); owner.Uid != 0 {
			return &account{name: "user " + strconv.Itoa(int(owner.Uid)), uid: owner.Uid, gid: owner.Gid}, nil
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue // the next may exist
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("user %s: %w", name, err)
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("user %s: %w", name, err)
		}
		return &account{name: name, uid: uint32(uid), gid: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is neither a postgres nor a nobody user to run it as")
}

// credential returns the child's process attributes; nil keeps our own.
func (a *account) credential() *syscall.Credential {
	if a == nil {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid}
}

// own gives a file or directory to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}

// dirMode is the mode of a data directory to be created.
func (a *account) dirMode() os.FileMode {
	if a == nil {
		return 0o700
	}
	return 0o755
}

// openTo makes sure that the account can pass through dir, and no more: root creates and opens
// files there, which the account could replace by links if it owned dir. A directory of root's that
// is closed to the account is opened for everyone to pass; a closed directory above it is an error,
// because that is not ours to open.
func (a *account) openTo(dir string) error {
	if a == nil {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if err := a.takeBack(dir, info); err != nil {
		return err
	}
	if !a.mayEnter(info) {
		if info.Sys().(*syscall.Stat_t).Uid != 0 {
			return a.closed(dir)
		}
		if err := os.Chmod(dir, info.Mode().Perm()|passable); err != nil {
			return err
		}
	}
	for parent := filepath.Dir(dir); parent != "/"; parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		if err != nil {
			return err
		}
		if !a.mayEnter(info) {
			return a.closed(parent)
		}
	}
	return nil
}

// passable lets a directory's group and others pass through it without seeing its contents.
const passable = 0o011

// takeBack makes dir root's again if an earlier version gave it to the account: it is closed to
// others, and has a lock of root's.
func (a *account) takeBack(dir string, info os.FileInfo) error {
	if info.Sys().(*syscall.Stat_t).Uid != a.uid || info.Mode().Perm()&0o077 != 0 {
		return nil
	}
	lock, err := os.Lstat(filepath.Join(dir, lockName))
	if err != nil || lock.Sys().(*syscall.Stat_t).Uid != 0 {
		return nil //nolint:nilerr // without such a lock it has never been root's
	}
	if err := os.Lchown(dir, 0, 0); err != nil {
		return err
	}
	return os.Chmod(dir, info.Mode().Perm()|passable)
}

func (a *account) closed(dir string) error {
	return fmt.Errorf("PostgreSQL cannot run as root and runs as %s, who may not access %s: "+
		"choose another data directory, or start Rowlock as another user", a.name, dir)
}

// mayEnter evaluates the search permission in a directory's mode, for an account without further
// groups.
func (a *account) mayEnter(info os.FileInfo) bool {
	owner := info.Sys().(*syscall.Stat_t)
	switch mode := info.Mode().Perm(); {
	case owner.Uid == a.uid:
		return mode&0o100 != 0
	case owner.Gid == a.gid:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}
