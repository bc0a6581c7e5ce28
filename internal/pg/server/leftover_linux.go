package server

import (
	"os"
	"path/filepath"
	"strconv"
)

// leftovers lists the processes whose working directory is data: a server and its sessions stay
// there.
func leftovers(data string) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue // not a process
		}
		// An unreadable one has ended, or belongs to another user and so does not use our data.
		if cwd, err := os.Readlink(filepath.Join("/proc", entry.Name(), "cwd")); err == nil && cwd == data {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}
