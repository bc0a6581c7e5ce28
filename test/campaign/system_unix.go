//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// freeze stops a process where it is; thaw resumes it.
func freeze(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

func thaw(p *os.Process) error { return p.Signal(syscall.SIGCONT) }

// giveAs gives a folder to the owner of another.
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

// promote promotes the standby of a data directory to a primary.
//
// Source: PostgreSQL's src/bin/pg_ctl/pg_ctl.c, do_promote
func promote(data string) error {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(data, "promote"), nil, 0o644); err != nil {
		return err
	}
	return syscall.Kill(pid, syscall.SIGUSR1)
}
