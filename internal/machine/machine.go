package machine

import (
	"time"
)

// Machine is a Pod's machine. Its exported fields are its state; make one with New or Decode. It is not safe for
// concurrent use.
type Machine struct {
	// Seed is what the Pod's random numbers are drawn from: its uid.
	Seed string `json:"seed"`

	// Now is how far the machine has been run.
	Now time.Time `json:"now"`

	// Containers are those that have been started at least once, by name.
	Containers map[string]*Container `json:"containers,omitempty"`
}

// Container is what the machine holds of one container: its current run, or the last one where none runs, and the run
// before that.
type Container struct {
	Run      *Run `json:"run,omitempty"`
	Previous *Run `json:"previous,omitempty"`
}

// Run is one run of a container. Of a run that has ended only its end and its log are kept.
type Run struct {
	ID      string    `json:"id"` // of the container, as its status has it
	Started time.Time `json:"started"`
	Log     Log       `json:"log"`

	// Ended is zero while it runs.
	Ended    time.Time `json:"ended,omitzero"`
	ExitCode int32     `json:"exitCode,omitempty"`
}

// New makes the machine of a Pod that has just come to its node; seed is the Pod's uid.
func New(seed string, now time.Time) *Machine {
	return &Machine{Seed: seed, Now: now}
}

// Logs are the lines that the current run of a container has written up to Now, or those of the run before it. ok is
// false where there is no such run.
func (m *Machine) Logs(container string, previous bool) (lines []Line, ok bool) {
	c := m.Containers[container]
	if c == nil {
		return nil, false
	}
	run := c.Run
	if previous {
		run = c.Previous
	}
	if run == nil {
		return nil, false
	}
	return run.Log.all(), true
}
