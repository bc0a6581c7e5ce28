//go:build !linux && !windows

package server

import (
	"os/exec"
	"strconv"
	"strings"
)

// leftovers returns the process of postmaster.pid if that is a server on data, which is named in
// its command line.
func leftovers(data string) ([]int, error) {
	status, err := readPostmaster(data)
	if err != nil || status.pid == 0 {
		return nil, err
	}
	command, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(status.pid)).Output()
	if err != nil || !strings.Contains(string(command), data) {
		return nil, nil // ps fails if there is no such process
	}
	return []int{status.pid}, nil
}
