//go:build unix

package basebackup

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// giveAs gives a directory to the owner of another.
func giveAs(dir, other string) error {
	info, err := os.Stat(other)
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t)
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(owner.Uid), int(owner.Gid))
	})
}
