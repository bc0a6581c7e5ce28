package engine

import "time"

// The time of a turn. The database ends a transaction that is idle for two seconds (S15). What a
// turn does between two statements stays below half a second, so that a machine several times too
// slow does not reach that limit. Work that a turn does not get to is left to the next: it is not
// acknowledged. One object is always taken, however long it takes.
const (
	// mirrorWait is how long a claim is first held while the mirror catches up with it. Each time
	// that this is too short, the next claim may wait twice as long, up to longestMirrorWait.
	mirrorWait, longestMirrorWait = 200 * time.Millisecond, time.Second
	// gatherTime and planTime are how long after its beginning a turn takes one more snapshot and
	// makes one more plan; fillTime is how long after the last plan it adds one more plan to its
	// batch, so that a plan that took long is not wasted.
	gatherTime, planTime, fillTime = 200 * time.Millisecond, 400 * time.Millisecond, 200 * time.Millisecond
	// turnChanges is the number of changes and wakeups after which the remaining claims are left to
	// the next turn (S16), for controllers that plan object by object.
	turnChanges = 500
	// sessionTime is how long a turn may be idle before the end of its session counts as its own
	// fault: slightly less than the database allows.
	sessionTime = 1500 * time.Millisecond
)
