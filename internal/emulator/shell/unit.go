package shell

import (
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
)

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
