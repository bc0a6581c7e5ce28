package main

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/test/exercise"
)

// memory is the resident memory of each process, in bytes, by name.
type memory map[string]int64

// String returns "replica-1 61 MiB, replica-2 58 MiB".
func (m memory) String() string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, fmt.Sprintf("%s %d MiB", name, m[name]>>20))
	}
	return strings.Join(out, ", ")
}

const (
	// restTime is how long a cluster is left alone before memory is measured: mirrors drop their
	// caches within a minute. restMost is how much longer it may take to reach the minimum, because
	// the runtime releases memory gradually.
	restTime = 65 * time.Second
	restMost = 3 * time.Minute
)

// memoryAtRest measures after the processes have been left alone for a while: at once if there is
// no earlier measurement to compare with, otherwise when they are within their limit, or have not
// reached it for long.
func (f *fleet) memoryAtRest(ctx context.Context, start memory) (memory, error) {
	rest, most := restTime, restMost
	if f.growth == 0 {
		rest, most = time.Second, 0
	}
	exercise.Sleep(ctx, rest)
	for deadline := time.Now().Add(most); ; exercise.Sleep(ctx, 2*time.Second) {
		m := memory{}
		for _, r := range f.replicas {
			bytes, err := resident(ctx, r.process().Pid)
			if err != nil {
				return nil, err
			}
			m[r.name] = bytes
		}
		if start == nil || len(f.grown(start, m)) == 0 || time.Now().After(deadline) || ctx.Err() != nil {
			return m, ctx.Err()
		}
	}
}

// grown returns the processes with more memory than allowed.
func (f *fleet) grown(start, end memory) (names []string) {
	for name, bytes := range end {
		if f.growth > 0 && float64(bytes) > float64(start[name])*(1+f.growth) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (f *fleet) judgeMemory(c *exercise.Clients, start, end memory) {
	for _, name := range f.grown(start, end) {
		c.Wrong("%s has %d MiB in the end and had %d at the start", name, end[name]>>20, start[name]>>20)
	}
}

func resident(ctx context.Context, pid int) (int64, error) {
	out, err := exec.CommandContext(ctx, "ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, fmt.Errorf("ps: %w", err)
	}
	kib, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return kib << 10, err
}
