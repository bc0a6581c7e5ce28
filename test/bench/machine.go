package main

import (
	"fmt"
	"os"
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
