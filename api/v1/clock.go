package v1

import "time"

// The paths of the clock and of the advance under way.
const (
	ClockPath   = Root + "/clock"
	AdvancePath = ClockPath + "/advance"
)

// The phases of an advance.
const (
	AdvanceRunning     = "running"
	AdvanceDone        = "done"
	AdvanceInterrupted = "interrupted"
)

// Clock is the answer to GET, POST and, on AdvancePath, DELETE: the cluster's clock, and what waits
// for it.
type Clock struct {
	Now          time.Time           `json:"now" doc:"What the clock shows."`
	Speed        float64             `json:"speed" doc:"How many times as fast as real time it runs now; 0 while it stands still."`
	Pace         float64             `json:"pace" doc:"How fast it runs when it runs: what it goes back to after a pause."`
	Paused       bool                `json:"paused" doc:"Whether somebody has made it stand still. An advance lets go of it when it ends."`
	Advance      *ClockAdvance       `json:"advance,omitempty" doc:"The advance under way, or the last."`
	Due          []ClockWork         `json:"due" doc:"What is due next, or already, in order: the first few."`
	Failing      []ClockWork         `json:"failing,omitempty" doc:"Looks that have failed and are tried again in real time: those that failed most often."`
	FailingCount int                 `json:"failingCount,omitempty" doc:"How many such looks there are altogether."`
	Stalled      []StalledController `json:"stalled,omitempty" doc:"The controllers of the replica that answers which have had work for a minute and not got on with any of it."`
}

// StalledController is a controller that makes no progress.
type StalledController struct {
	Controller string `json:"controller" doc:"Its name."`
	Seconds    int64  `json:"seconds" doc:"For how long it has had work and not got on with any of it, in real time."`
}

// ClockAdvance is a run of the clock from one thing that is due to the next, as fast as the
// controllers do their work.
type ClockAdvance struct {
	Phase string     `json:"phase" enum:"running,done,interrupted" doc:"How far it is."`
	From  time.Time  `json:"from" doc:"Where the clock stood before."`
	To    *time.Time `json:"to,omitempty" doc:"Where it is to come to; absent while that is the next thing due, which is not known before all that is due now is done."`
	Ended *time.Time `json:"ended,omitempty" doc:"Where it came to; absent while it runs."`
	Steps int64      `json:"steps" doc:"How many times the clock has been set forward."`
}

// ClockWork is something that a controller will work on.
type ClockWork struct {
	At         time.Time `json:"at" doc:"When, by the cluster's clock; for what has failed, in real time."`
	Controller string    `json:"controller" doc:"Who will look."`
	Kind       string    `json:"kind,omitempty" doc:"The object's kind; absent for a look that is not at an object."`
	Namespace  string    `json:"namespace,omitempty"`
	Name       string    `json:"name" doc:"The object's name, or that of the lock under which the look is taken."`
	Attempts   int       `json:"attempts,omitempty" doc:"How often the look has failed."`
}

// ClockRequest is the body of POST: what the clock is to do. Exactly one field is given.
type ClockRequest struct {
	Speed   *float64             `json:"speed,omitempty" doc:"Run so many times as fast as real time, 0.001 to 100000; 0 is to stand still."`
	Paused  *bool                `json:"paused,omitempty" doc:"true: stand still. false: run at the pace that it had."`
	Advance *ClockAdvanceRequest `json:"advance,omitempty" doc:"Advance, and run or stand still afterwards as before."`
}

// ClockAdvanceRequest says how far the clock is to advance: exactly one of its fields.
type ClockAdvanceRequest struct {
	By     *string    `json:"by,omitempty" doc:"A span of time, such as 90s, 36h, 1d or 2d12h; 0s is until all is done that is due now."`
	To     *time.Time `json:"to,omitempty" doc:"A time that has not passed."`
	ToNext *bool      `json:"toNext,omitempty" doc:"true: to the next time at which something is due."`
}
