package main

import "runtime/debug"

// gcPercent is how much the heap may grow between two collections. A mirror is mostly long-lived memory, and the
// processor time that more frequent collections take is small beside PostgreSQL's.
const gcPercent = 50

// tuneMemory applies gcPercent unless the environment says otherwise, as GOGC does for every Go program.
func tuneMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
