package shell

import (
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
)

// The work of a step is counted in units of about ten nanoseconds of CPU time.
const (
	unitsPerStep = 100       // cost a step of the kernel
	maxUnits     = 6_000_000 // in one step; then the shell ends
	maxGrown     = 16 << 20  // the longest text that an expansion makes
	unitsPerWork = 6         // of a utility's or the file system's steps of work
	overrunExit  = 2
)

func init() {
	kernel.Register("shell", &Shell{})
	for _, name := range []string{"sh", "ash", "dash", "bash"} {
		kernel.Provide(name, func([]string) kernel.Program { return &Shell{Dialect: dialectOf(name)} })
	}
}

// dialectOf returns the dialect of a program by its name; "" for "sh", whose dialect depends on the
// image.
func dialectOf(name string) dialect {
	if name == "sh" {
		return ""
	}
	return dialect(name)
}

// Step implements kernel.Program: it executes one instruction.
func (s *Shell) Step(p *kernel.Process) (w kernel.Wait) {
	s.p, s.extra, s.spent, s.unbilled = p, 0, 0, 0
	defer func() {
		w.Steps = max(w.Steps, s.extra) + s.spent/unitsPerStep
		s.p = nil
	}()
	defer s.contained(&w)
	if !s.Begun {
		return s.begin()
	}
	if len(s.Out) > 0 {
		if w, ok := s.flush(); !ok {
			return w
		}
	}
	if s.Input != nil && s.Input.Reading {
		return s.readCommand()
	}
	if s.code == nil {
		s.enter()
	}
	in := &s.code.Ins[s.PC]
	if in.Line > 0 {
		s.Line = in.Line + s.before
	}
	w = s.exec(in)
	s.account()
	return w
}

// contained recovers from an overrun and ends the shell, as a utility that does too much work ends.
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

// account counts the shell's memory, in the parts that can grow.
func (s *Shell) account() {
	if s.p.Dead() || s.p.Run.Program != kernel.Program(s) {
		return
	}
	n := s.Bytes
	for _, v := range s.Values {
		n += int64(len(v))
	}
	s.spend(len(s.Values) + len(s.Out))
	for i := range s.Words {
		s.spend(1 + len(s.Words[i].Parts))
		n += int64(s.Words[i].size())
	}
	for _, o := range s.Out {
		n += int64(len(o.Data))
	}
	if s.Busy != nil {
		n += int64(len(s.Busy.Data))
	}
	n += int64(16 * (len(s.Fields) + len(s.Frames)))
	if d := n - s.p.Bytes; d > 1<<12 || d < -1<<14 {
		s.p.Use(d)
	}
}

// again returns the Wait of a step after which the next one may come at once.
func (s *Shell) again() kernel.Wait { return kernel.Wait{Steps: s.extra} }

// stay returns the Wait of an instruction that has not ended: it is executed again.
func (s *Shell) stay(w kernel.Wait) kernel.Wait {
	s.PC--
	w.Steps += s.extra
	return w
}

// enter gets the code of the current unit.
func (s *Shell) enter() {
	u := s.Units[s.Unit]
	if u.code == nil {
		u.code = code.Compiled(s.Dialect, string(u.Source), u.Tail)
	}
	s.code, s.before = u.code, u.Before
}

// add adds a source to be run. Its cost grows with its length.
func (s *Shell) add(source string, tail bool) int {
	s.LastUnit++
	s.Units[s.LastUnit] = &unit{Source: kernel.Text(source), Tail: tail}
	s.extra += 10 + len(source)/16
	return s.LastUnit
}

// drop removes a source that has run, unless it defines a function.
func (s *Shell) drop(id int) {
	if u := s.Units[id]; u != nil && !u.Keep {
		delete(s.Units, id)
	}
}

// jump continues at pc in a unit.
func (s *Shell) jump(id, pc int) { s.Unit, s.PC, s.code = id, pc, nil }

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
