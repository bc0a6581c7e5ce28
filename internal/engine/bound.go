package engine

import "time"

// The time of a turn. The database ends a transaction that is idle for two seconds (S15); what a turn does between two
// statements stays below half a second, so that a machine several times too slow does not reach that. Whatever a turn has not
// come to is left to the next: it is not acknowledged. One object is always taken, however long it takes.
const (
	// mirrorWait is how long a claim is held at first while the mirror catches up with it. Each time that this is too short,
	// the next claim may wait twice as long, up to longestMirrorWait.
	mirrorWait, longestMirrorWait = 200 * time.Millisecond, time.Second
	// gatherTime and planTime are how long after its beginning a turn takes one more snapshot and makes one more plan, and
	// fillTime how long after the last plan it adds one more of them to its batch: so a plan that took long is not made in vain.
	gatherTime, planTime, fillTime = 200 * time.Millisecond, 400 * time.Millisecond, 200 * time.Millisecond
	// turnChanges is after how many changes and wakeups the rest of what is claimed is left to the next turn (S16), where objects are
	// planned for one by one.
	turnChanges = 500
	// sessionTime is how long a turn may be idle before the end of its session is its own fault. It is a little less than what
	// the database allows.
	sessionTime = 1500 * time.Millisecond
)
