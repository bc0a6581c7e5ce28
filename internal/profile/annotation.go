package profile

import (
	"strings"
	"time"
)

// Prefix begins the key of every annotation for the emulation.
const Prefix = "emulation.rowlock.io/"

// The names of annotations.
const (
	StartDelay         = "start-delay"         // how long the container waits before its first start, like for a slow image
	RunTime            = "run-time"            // how long it runs, "30s", "10s-1m" or "forever"; its program is not run then
	ExitCode           = "exit-code"           // its exit code after its run time; without one, at once
	StopTime           = "stop-time"           // how long it continues after TERM, if its program is not run
	ReadinessDelay     = "readiness-delay"     // how long after each start it is not ready, whatever its probes report
	FailureProbability = "failure-probability" // the probability that a run fails, "0.1" or "10%"
	FailureAfter       = "failure-after"       // when a failing run ends; without it, after its run time, or at once
	FailureExitCode    = "failure-exit-code"   // the exit code of such a run, 1 without it
	Log                = "log"                 // a line for its log at the start
	Seed               = "seed"                // any text, from which random values are drawn
	CPUUsage           = "cpu-usage"           // how much CPU it reports as used, "250m"
	MemoryUsage        = "memory-usage"        // how much memory it reports as used, "64Mi"
)

// Names lists all names of annotations, sorted.
var Names = []string{
	CPUUsage, ExitCode, FailureAfter, FailureExitCode, FailureProbability, Log, MemoryUsage, ReadinessDelay, RunTime, Seed, StartDelay, StopTime,
}

// longest is the longest time that a profile may state.
const longest = 10 * 365 * 24 * time.Hour

// maxLog is how many bytes a log line may have.
const maxLog = 4096

// Has reports whether annotations contain any part of a profile.
func Has(annotations map[string]string) bool {
	for key := range annotations {
		if strings.HasPrefix(key, Prefix) {
			return true
		}
	}
	return false
}

// span is a run time: from least to most, or without end.
type span struct {
	least, most time.Duration
	forever     bool
}

// at returns the run time for a random number from 0 to 1, in whole milliseconds.
func (s span) at(draw float64) (d time.Duration, forever bool) {
	between := time.Duration(draw * float64(s.most-s.least))
	return s.least + between.Truncate(time.Millisecond), s.forever
}
