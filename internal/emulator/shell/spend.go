package shell

import "github.com/rowlock/rowlock/internal/emulator/kernel"

// The work of one step is counted in units of some ten nanoseconds of CPU time.
const (
	unitsPerStep = 100       // make a step of the kernel
	maxUnits     = 6_000_000 // in one step of the shell, which then ends
	maxGrown     = 16 << 20  // the longest text that an expansion makes
	unitsPerWork = 6         // of a utility's or the file system's steps of work
	overrunExit  = 2
)

// overrun is thrown by a step that does too much.
type overrun struct{}

// spend counts work, and ends the step where it is too much.
func (s *Shell) spend(units int) {
	if s.spent += units; s.spent > maxUnits {
		panic(overrun{})
	}
}

// bill is spend in the units of the file system and of regular expressions.
func (s *Shell) bill(work int64) { s.spend(int(min(work, maxUnits)) * unitsPerWork) }

// limit is bill for what the kernel counts itself: it only ends the step.
func (s *Shell) limit(work int64) {
	if s.unbilled += work * unitsPerWork; s.unbilled > maxUnits {
		panic(overrun{})
	}
}

// grow ends the step where a text gets too long.
func (s *Shell) grow(bytes int) {
	if bytes > maxGrown {
		panic(overrun{})
	}
}

// contained ends the shell whose step did too much, as a utility that did.
func (s *Shell) contained(w *kernel.Wait) {
	switch r := recover().(type) {
	case nil:
	case overrun:
		s.extra += s.spent / unitsPerStep
		s.spent = 0
		s.Out = nil
		*w = s.fatal("rowlock: stopped: one expansion takes too many steps", overrunExit)
	default:
		panic(r)
	}
}
