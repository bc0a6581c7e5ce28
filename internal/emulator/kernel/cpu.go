package kernel

import "time"

// idleRate is how many steps an idle second makes up for; loadOctave is how many steps make the CPU
// twice as slow.
const (
	idleRate   = 400
	loadOctave = 100_000

	stepLoad   = int64(time.Second / idleRate) // of a step; a nanosecond of rest takes 1 away
	octaveLoad = stepLoad * loadOctave
	stepCost   = time.Microsecond

	// loggedPerStep is how many bytes of output cost a step: they are cut into lines, each with its
	// time.
	loggedPerStep = 64

	// workPerStep is how many units of a view's work cost a step.
	workPerStep = 16
)

// takeLogged returns what keeping the output of a step costs, in steps.
func (k *Kernel) takeLogged() int64 {
	steps := k.logged / loggedPerStep
	k.logged = 0
	return steps
}

// charge returns the time that steps made now take. The more the CPU was used without a rest, the
// slower it is.
func (s *Sandbox) charge(now time.Duration, steps int64) time.Duration {
	if now > s.Busy {
		s.Load = max(0, s.Load-int64(now-s.Busy))
	}
	octave := min(s.Load/octaveLoad, 24)
	part := s.Load % octaveLoad * 1024 / octaveLoad
	cost := stepCost << octave * time.Duration(1024+part) / 1024 * time.Duration(steps)
	s.Load += steps * stepLoad
	s.Busy = max(s.Busy, now+cost)
	return cost
}
