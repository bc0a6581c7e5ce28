package shell

import "slices"

// maxCalls bounds how deep functions, sources, evals and traps nest; maxFrames bounds all frames.
const (
	maxCalls  = 250
	maxFrames = 4000
)

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
