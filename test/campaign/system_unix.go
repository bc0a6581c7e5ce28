//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// freeze stops a process where it is; thaw resumes it.
func freeze(pid int) error { return syscall.Kill(pid, syscall.SIGSTOP) }

func thaw(pid int) error { return syscall.Kill(pid, syscall.SIGCONT) }

// children returns the processes that a process has started. Only Linux tells.
func children(pid int) (all []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		name := strings.LastIndexByte(string(text), ')') // the name may contain anything
		fields := strings.Fields(string(text)[name+1:])
		if len(fields) < 2 || fields[1] != strconv.Itoa(pid) {
			continue
		}
		if child, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			all = append(all, child)
		}
	}
	return all
}

// tracer returns the process that traces a process, 0 for none. Only Linux tells.
func tracer(pid int) int {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "TracerPid:")
	line, _, _ := strings.Cut(rest, "\n")
	id, _ := strconv.Atoi(strings.TrimSpace(line))
	return id
}

// firstProcess returns the process of the server of a data directory.
func firstProcess(data string) (int, error) {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(first)
}

// promote promotes the standby of a data directory to a primary.
//
// Source: PostgreSQL's src/bin/pg_ctl/pg_ctl.c, do_promote
func promote(data string) error {
	pid, err := firstProcess(data)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(data, "promote"), nil, 0o644); err != nil {
		return err
	}
	return syscall.Kill(pid, syscall.SIGUSR1)
}
