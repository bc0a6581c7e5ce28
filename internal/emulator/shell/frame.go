package shell

import (
	"slices"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// frame is a construct that the shell is in, and that must be undone when the shell leaves it.
type frame struct {
	Kind frameKind

	// For a loop: the targets of break and continue, the remaining fields, and the status so far.
	Break    int          `json:",omitempty"`
	Continue int          `json:",omitempty"`
	Items    kernel.Texts `json:",omitempty"`
	Status   int          `json:",omitempty"`

	// For a function, a source, an eval or a trap: where to continue afterwards.
	Unit int `json:",omitempty"`
	PC   int `json:",omitempty"`
	Own  int `json:",omitempty"` // the unit that is dropped at its end

	// The values to restore: variables (null: unset), positional parameters, descriptors (the saved
	// one; −1: closed), and for a trap the unfinished words.
	Vars   map[string]*variable `json:",omitempty"`
	Args   *kernel.Texts        `json:",omitempty"`
	FDs    []savedFD            `json:",omitempty"`
	Fail   int                  `json:",omitempty"` // where to continue if a redirection fails
	Fields kernel.Texts         `json:",omitempty"`
	Prefix []assignment         `json:",omitempty"`
	Name   kernel.Text          `json:",omitempty"` // of a function

	Careless int `json:",omitempty"`
	Words    int `json:",omitempty"` // how many words and values there were
	Values   int `json:",omitempty"`
}

type savedFD struct{ FD, Saved int }

type frameKind uint8

const (
	frameLoop frameKind = iota + 1
	frameRedir
	frameVars // variables during a command
	frameFunc
	frameSource
	frameEval
	frameTrap
	frameExit // the trap for EXIT
)

// maxCalls bounds how deep functions, sources, evals and traps nest; maxFrames bounds all frames.
const (
	maxCalls  = 250
	maxFrames = 4000
)

func (f *frame) isCall() bool { return f.Kind >= frameFunc }

// push enters a frame; it returns false if the shell is in too many.
func (s *Shell) push(f frame) bool {
	if f.isCall() {
		if s.Calls >= maxCalls {
			return false
		}
		s.Calls++
	}
	if len(s.Frames) >= maxFrames {
		return false
	}
	f.Careless, f.Words, f.Values = s.Careless, len(s.Words), len(s.Values)
	s.Frames = append(s.Frames, f)
	return true
}

func (s *Shell) top() *frame {
	if len(s.Frames) == 0 {
		return nil
	}
	return &s.Frames[len(s.Frames)-1]
}

// pop leaves the last frame, and undoes it.
func (s *Shell) pop() frame {
	f := s.Frames[len(s.Frames)-1]
	s.Frames = s.Frames[:len(s.Frames)-1]
	if f.isCall() {
		s.Calls--
	}
	for _, saved := range slices.Backward(f.FDs) {
		if saved.Saved < 0 {
			_ = s.p.Close(saved.FD)
			continue
		}
		_ = s.p.Dup(saved.Saved, saved.FD)
		_ = s.p.Close(saved.Saved)
	}
	for name, v := range f.Vars {
		s.replaceVar(name, v)
	}
	if f.Args != nil {
		s.Args = *f.Args
	}
	if f.Own != 0 {
		s.drop(f.Own)
	}
	return f
}

// unwind leaves all frames down to the one at an index, which stays.
func (s *Shell) unwind(to int) {
	for len(s.Frames)-1 > to {
		s.pop()
	}
	if f := s.top(); f != nil && len(s.Frames)-1 == to {
		s.Careless = f.Careless
		s.cut(f.Words, f.Values)
	}
}

func (s *Shell) cut(words, values int) {
	s.Words = s.Words[:min(words, len(s.Words))]
	s.Values = s.Values[:min(values, len(s.Values))]
}

// loopAt returns the index of the nth loop from the inside, or of the outermost loop if there are
// fewer; −1 for none. Loops outside the current function or trap do not count.
func (s *Shell) loopAt(n int) int {
	found := -1
	for i := len(s.Frames) - 1; i >= 0 && n > 0; i-- {
		switch k := s.Frames[i].Kind; {
		case k == frameLoop:
			found = i
			n--
		case k == frameFunc || k == frameTrap || k == frameExit:
			return found
		}
	}
	return found
}

// breakLoop ends n loops.
func (s *Shell) breakLoop(n int) {
	if i := s.loopAt(n); i >= 0 {
		s.unwind(i)
		s.toUnitOf(i)
		s.PC = s.Frames[i].Break
		s.pop()
	}
}

// continueLoop continues with the next round of the nth loop.
func (s *Shell) continueLoop(n int) {
	if i := s.loopAt(n); i >= 0 {
		s.unwind(i)
		s.toUnitOf(i)
		s.PC = s.Frames[i].Continue
	}
}

// toUnitOf returns to the unit of a loop, from an eval or a source in it.
func (s *Shell) toUnitOf(i int) {
	if u := s.Frames[i].Unit; u != s.Unit {
		s.jump(u, 0)
	}
}

// returnFrom ends the innermost function or source, with a status. It returns false outside of
// both.
func (s *Shell) returnFrom(status int) bool {
	for i := len(s.Frames) - 1; i >= 0; i-- {
		switch s.Frames[i].Kind {
		case frameFunc, frameSource, frameTrap, frameExit:
			s.unwind(i)
			s.Status = status
			s.endCall()
			return true
		}
	}
	return false
}

// endCall ends the call on top of the frames, and continues after it.
func (s *Shell) endCall() kernel.Wait {
	f := s.pop()
	s.cut(f.Words, f.Values)
	s.Careless = f.Careless
	switch f.Kind {
	case frameExit:
		return s.leave(s.exitStatus(f.Status))
	case frameTrap:
		s.Status, s.Fields, s.Prefix = f.Status, f.Fields, f.Prefix
	}
	s.jump(f.Unit, f.PC)
	return s.again()
}

func (s *Shell) exitStatus(status int) int { return status }
