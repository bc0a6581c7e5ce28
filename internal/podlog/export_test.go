package podlog

import "time"

// The bounds of a read.
const (
	ReadSteps = readSteps
	FreeSteps = freeSteps
	TurnSteps = turnSteps
)

// SetRest replaces the rest after each turn: rest must call open when the next turn may begin.
func (s *Source) SetRest(rest func(took time.Duration, open func())) { s.gate.Rest = rest }
