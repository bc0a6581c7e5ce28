package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// processors names the machine's processors, with the day and the relevant versions.
func processors() string {
	model := ""
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil { // Linux only; elsewhere the count must do
		for line := range strings.Lines(string(info)) {
			if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
				model = ", " + strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores%s, %s/%s, %s",
		time.Now().Format(time.DateOnly), runtime.NumCPU(), model, runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// describeMachine describes the machine of the figures: the processors, and the minimum duration of
// a commit's flush.
func describeMachine(dir string) (string, error) {
	f, err := os.Create(filepath.Join(dir, "flush"))
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // it goes with its directory
	page := make([]byte, 8<<10)
	var flushes latencies
	for range 100 {
		if _, err := f.Write(page); err != nil {
			return "", err
		}
		begin := time.Now()
		if err := f.Sync(); err != nil {
			return "", err
		}
		flushes = append(flushes, time.Since(begin))
	}
	return fmt.Sprintf("%s. Flushing 8 KiB to the disk: p50 %s, p99 %s.", processors(), short(flushes.at(50)), short(flushes.at(99))), nil
}
