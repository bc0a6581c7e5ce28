package shell

import "github.com/rowlock/rowlock/internal/emulator/kernel"

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
