package shell

// The work of a step is counted in units of about ten nanoseconds of CPU time.
const (
	unitsPerStep = 100       // cost a step of the kernel
	maxUnits     = 6_000_000 // in one step; then the shell ends
	maxGrown     = 16 << 20  // the longest text that an expansion makes
	unitsPerWork = 6         // of a utility's or the file system's steps of work
	overrunExit  = 2
)

// overrun is the panic value of a step that does too much work.
type overrun struct{}

// spend counts work, and ends the step if there is too much.
func (s *Shell) spend(units int) {
	if s.spent += units; s.spent > maxUnits {
		panic(overrun{})
	}
}

// bill is spend in the units of the file system and of regular expressions.
func (s *Shell) bill(work int64) { s.spend(int(min(work, maxUnits)) * unitsPerWork) }

// limit is bill for work that the kernel itself counts: it only ends the step.
func (s *Shell) limit(work int64) {
	if s.unbilled += work * unitsPerWork; s.unbilled > maxUnits {
		panic(overrun{})
	}
}

// grow ends the step if a text gets too long.
func (s *Shell) grow(bytes int) {
	if bytes > maxGrown {
		panic(overrun{})
	}
}
