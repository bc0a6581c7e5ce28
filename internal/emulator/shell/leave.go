package shell

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// fatal prints a message and ends the shell; an interactive shell continues with the next command.
func (s *Shell) fatal(text string, status int) kernel.Wait {
	s.complain(text)
	if s.prompts() && !s.Leaving {
		return s.abandon(status)
	}
	return s.leave(status)
}

func (s *Shell) tooDeep() kernel.Wait {
	return s.fatal(fmt.Sprintf("maximum function nesting level exceeded (%d)", maxCalls), 2)
}

// foreign ends the shell at something that is not emulated.
func (s *Shell) foreign(what string) kernel.Wait {
	_ = s.write(2, []byte("rowlock: "+string(s.Name)+": line "+strconv.Itoa(max(s.Line, 1))+": "+what+"\n"))
	return s.leave(2)
}

// abandon gives up the command that is running or being read.
func (s *Shell) abandon(status int) kernel.Wait {
	s.showTyping(0)
	s.unwind(-1)
	s.drop(s.Unit)
	s.Careless, s.Busy, s.Fields, s.Prefix = 0, nil, nil, nil
	s.Words, s.Values = nil, nil
	s.Status = status & 0xff
	in := s.Input
	in.Lines += strings.Count(string(in.Text), "\n")
	in.Text, in.Until, in.Reading, in.Prompted = nil, "", true, false
	return s.again()
}

// showTyping turns the terminal's echo on again when read -s ends.
func (s *Shell) showTyping(fd int) {
	if s.Busy == nil || !s.Busy.Silent {
		return
	}
	if t := s.p.TerminalAt(fd); t != nil {
		t.NoEcho = false
	}
}

// leave ends the shell, after the trap for EXIT.
func (s *Shell) leave(status int) kernel.Wait {
	s.Status = status & 0xff
	if action, ok := s.Traps[0]; ok && !s.Leaving && action != "" {
		s.Leaving = true
		delete(s.Traps, 0)
		s.unwind(-1)
		s.Careless = 0
		s.Words, s.Values, s.Fields, s.Prefix, s.Busy = nil, nil, nil, nil, nil
		id := s.add(string(action), false)
		s.push(frame{Kind: frameExit, Status: s.Status, Own: id})
		s.jump(id, 0)
		return s.again()
	}
	if len(s.Out) > 0 {
		s.Leaving = true
		s.Traps = nil
		s.Frames, s.Busy = []frame{{Kind: frameExit, Status: s.Status}}, nil
		s.jump(s.add("", false), 0)
		return s.again()
	}
	return kernel.Done(s.Status)
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
		return s.leave(f.Status)
	case frameTrap:
		s.Status, s.Fields, s.Prefix = f.Status, f.Fields, f.Prefix
	}
	s.jump(f.Unit, f.PC)
	return s.again()
}
