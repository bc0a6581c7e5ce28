//go:build unix

package credential

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// writableByGroup and writableByOthers are permissions.
const (
	writableByGroup  = 0o020
	writableByOthers = 0o002
)

// trusted refuses a directory whose contents others could have written: the directory, the files in
// it that the server would use, and all directories above it must belong to this process's user or
// to root, and no other user may be able to write there. Directories above it may be sticky, as
// /tmp is, and may be writable by the user's own group. Links are followed, and must be trusted as
// well.
func (d Dir) trusted() error {
	path, err := filepath.Abs(string(d))
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for _, p := range []string{path, real} {
		if err := trustedAbove(p); err != nil {
			return err
		}
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	if err := trustedEntry(real, info, writableByGroup|writableByOthers); err != nil {
		return err
	}
	for _, file := range []string{d.caKeyFile(), d.CAFile(), d.KeyFile(), d.CertFile(), d.TokenFile(), d.Kubeconfig(), d.file(".lock")} {
		info, err := os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := trustedEntry(file, info, writableByGroup|writableByOthers); err != nil {
			return err
		}
	}
	return nil
}

// trustedAbove checks every directory above a path, and every link on the way.
func trustedAbove(path string) error {
	at := string(filepath.Separator)
	for _, name := range append([]string{""}, strings.Split(strings.Trim(path, at), at)...) {
		at = filepath.Join(at, name)
		info, err := os.Lstat(at)
		if err != nil {
			return err
		}
		refused := fs.FileMode(writableByOthers)
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Gid) != os.Getegid() && stat.Gid != 0 {
			refused |= writableByGroup
		}
		if info.Mode()&(fs.ModeSticky|fs.ModeSymlink) != 0 {
			refused = 0 // only its owner can rename what is in a sticky directory; a link's permissions mean nothing
		}
		if at == path {
			refused = 0 // it is checked by itself, more strictly
		}
		if err := trustedEntry(at, info, refused); err != nil {
			return err
		}
	}
	return nil
}

// trustedEntry checks a file or directory by its owner and its write permissions.
func trustedEntry(path string, info fs.FileInfo, refused fs.FileMode) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil // a file system without owners
	}
	if uid := int(stat.Uid); uid != os.Geteuid() && uid != 0 {
		return fmt.Errorf("%s belongs to user %d, not to the user %d that runs the server: name another directory, or make it yours", path, uid, os.Geteuid())
	}
	if info.Mode().Perm()&refused != 0 {
		return fmt.Errorf(
			"%s can be written by others (its mode is %04o): name another directory, or see what is in it and `chmod go-w` it",
			path, info.Mode().Perm(),
		)
	}
	return nil
}
