package application

import (
	"github.com/rowlock/rowlock/internal/emulator/image/script"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Scripted performs the actions of a script.
type Scripted struct {
	Acts []script.Act `json:",omitempty"`
	Code int          `json:",omitempty"`
}

// Step implements kernel.Program.
func (s *Scripted) Step(p *kernel.Process) kernel.Wait {
	for len(s.Acts) > 0 {
		a := &s.Acts[0]
		if a.Out != "" {
			if wait, done := write(p, 1, &a.Out); !done {
				return wait
			}
		}
		if a.Err != "" {
			if wait, done := write(p, 2, &a.Err); !done {
				return wait
			}
		}
		sleep := a.Sleep
		s.Acts = s.Acts[1:]
		if sleep > 0 {
			return kernel.Wait{For: kernel.Time, Until: p.In(sleep)}
		}
	}
	return kernel.Done(s.Code)
}

// Python performs the actions of a Python program, one part after the other.
type Python struct{ script.Python }

// Step implements kernel.Program.
func (s *Python) Step(p *kernel.Process) kernel.Wait {
	for {
		acting := Scripted{Acts: s.Acts, Code: s.Code}
		wait := acting.Step(p)
		s.Acts = acting.Acts
		if wait.For != kernel.Ended || s.Ended {
			return wait
		}
		if err := s.advance(p); err != nil {
			p.Run.Program = refusal("python")
			return kernel.Wait{}
		}
	}
}

// advance runs the program up to its next pause. The error says that it is not emulated.
func (s *Python) advance(p *kernel.Process) error {
	return s.Advance(script.Host{Getenv: p.Getenv, Random: p.Random, Now: p.Now(), Hostname: p.Hostname()})
}

func refusal(language string) *Unemulated {
	return notEmulated("this "+language+" program", "")
}

func init() {
	kernel.Register("scripted", &Scripted{})
	kernel.Register("python", &Python{})
}
