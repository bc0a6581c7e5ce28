package shell

import (
	"slices"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// frame is something that the shell is in the middle of, and that has to be undone when it is left.
type frame struct {
	Kind frameKind

	// Of a loop: where break and continue lead, the fields that are left, and the status so far.
	Break    int          `json:",omitempty"`
	Continue int          `json:",omitempty"`
	Items    kernel.Texts `json:",omitempty"`
	Status   int          `json:",omitempty"`

	// Of a function, a source, an eval or a trap: where to go on.
	Unit int `json:",omitempty"`
	PC   int `json:",omitempty"`
	Own  int `json:",omitempty"` // the unit that is forgotten at its end

	// What is restored: variables (null: unset), positional parameters, descriptors (the saved one; −1: closed), and for a
	// trap the words that were being put together.
	Vars   map[string]*variable `json:",omitempty"`
	Args   *kernel.Texts        `json:",omitempty"`
	FDs    []savedFD            `json:",omitempty"`
	Fail   int                  `json:",omitempty"` // where to go on if a redirection fails
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
	frameVars // variables for the time of a command
	frameFunc
	frameSource
	frameEval
	frameTrap
	frameExit // the trap for EXIT
)

// maxCalls bounds how deep functions, sources, evals and traps nest; maxFrames all that the shell can be in.
const (
	maxCalls  = 250
	maxFrames = 4000
)

func (f *frame) isCall() bool { return f.Kind >= frameFunc }

// push begins something; it is false if the shell is in too much already.
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

// pop ends what was begun last, and undoes it.
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

// unwind ends everything down to the frame at an index, which stays.
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

// loopAt is the index of the nth loop from the inside, or of the outermost that there is; −1 for none. Loops outside the
// function that the shell is in do not count.
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

// continueLoop goes on with the next turn of the nth loop.
func (s *Shell) continueLoop(n int) {
	if i := s.loopAt(n); i >= 0 {
		s.unwind(i)
		s.toUnitOf(i)
		s.PC = s.Frames[i].Continue
	}
}

// toUnitOf goes back to the unit in which a loop stands, from an eval or a source in it.
func (s *Shell) toUnitOf(i int) {
	if u := s.Frames[i].Unit; u != s.Unit {
		s.jump(u, 0)
	}
}

// returnFrom ends the innermost function or source, with a status. It is false outside of both.
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

// endCall ends the call on top of the frames, and goes on behind it.
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
