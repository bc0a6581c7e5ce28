package v1

import "time"

// Paths of the clock and of the advance under way.
const (
	ClockPath   = Root + "/clock"
	AdvancePath = ClockPath + "/advance"
)

// Values of ClockAdvance.Phase.
const (
	AdvanceRunning     = "running"
	AdvanceDone        = "done"
	AdvanceInterrupted = "interrupted"
)

// Clock is the answer to GET, POST and, on AdvancePath, DELETE: the cluster's clock and the work
// that waits for it.
type Clock struct {
	Now          time.Time           `json:"now" doc:"The cluster time."`
	Speed        float64             `json:"speed" doc:"The current speed, as a multiple of real time; 0 while paused."`
	Pace         float64             `json:"pace" doc:"The speed that resuming restores."`
	Paused       bool                `json:"paused" doc:"Whether the clock is paused. It stays paused after an advance."`
	Advance      *ClockAdvance       `json:"advance,omitempty" doc:"The advance under way, or the last one."`
	Due          []ClockWork         `json:"due" doc:"The next wakeups in order of time, including overdue ones."`
	Failing      []ClockWork         `json:"failing,omitempty" doc:"Syncs that failed and are retried in real time, those with the most failures first."`
	FailingCount int                 `json:"failingCount,omitempty" doc:"The total number of failing syncs."`
	Stalled      []StalledController `json:"stalled,omitempty" doc:"Controllers of this replica that have had work for at least a minute without progress."`
}

// StalledController is a controller that makes no progress.
type StalledController struct {
	Controller string `json:"controller" doc:"The controller's name."`
	Seconds    int64  `json:"seconds" doc:"How long it has been without progress, in seconds of real time."`
}

// ClockAdvance moves the clock from one due wakeup to the next, as fast as the controllers work.
type ClockAdvance struct {
	Phase string     `json:"phase" enum:"running,done,interrupted" doc:"The phase of the advance."`
	From  time.Time  `json:"from" doc:"The cluster time at its start."`
	To    *time.Time `json:"to,omitempty" doc:"Its target. Absent if the target is the next due wakeup, which is not known until all current work is done."`
	Ended *time.Time `json:"ended,omitempty" doc:"The cluster time at its end; absent while it runs."`
	Steps int64      `json:"steps" doc:"How many times it has moved the clock."`
}

// ClockWork is a sync that is due or failing.
type ClockWork struct {
	At         time.Time `json:"at" doc:"When it is due, in cluster time; for a failing sync, the next attempt in real time."`
	Controller string    `json:"controller" doc:"The controller."`
	Kind       string    `json:"kind,omitempty" doc:"The object's kind; absent if the sync is not of an object."`
	Namespace  string    `json:"namespace,omitempty"`
	Name       string    `json:"name" doc:"The object's name, or the name of the sync's lock."`
	Attempts   int       `json:"attempts,omitempty" doc:"How often the sync has failed."`
}

// ClockRequest is the body of POST. Exactly one field must be set.
type ClockRequest struct {
	Speed   *float64             `json:"speed,omitempty" doc:"The speed as a multiple of real time, 0.001 to 100000; 0 pauses the clock."`
	Paused  *bool                `json:"paused,omitempty" doc:"true pauses the clock; false resumes it at its previous speed."`
	Advance *ClockAdvanceRequest `json:"advance,omitempty" doc:"Advance the clock; afterwards it runs or stays paused as before."`
}

// ClockAdvanceRequest is the target of an advance. Exactly one field must be set.
type ClockAdvanceRequest struct {
	By     *string    `json:"by,omitempty" doc:"A duration: 90s, 36h, 1d, 2d12h; 0s finishes all work that is due now."`
	To     *time.Time `json:"to,omitempty" doc:"A time in the future."`
	ToNext *bool      `json:"toNext,omitempty" doc:"true advances to the next due wakeup."`
}
