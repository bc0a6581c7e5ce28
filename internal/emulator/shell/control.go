package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// count parses the optional number of exit, return, break, continue and shift.
func (s *Shell) count(args []string, without int) (int, bool) {
	if len(args) < 2 {
		return without, true
	}
	n, err := strconv.Atoi(args[1])
	return n, err == nil
}

func (s *Shell) exit(args []string) kernel.Wait {
	n, ok := s.count(args, s.exitNow())
	if !ok {
		return s.badNumber("exit", args[1])
	}
	return s.leave(n)
}

// exitNow returns the default status of exit: in a trap, the status before the trap.
func (s *Shell) exitNow() int {
	for _, f := range slices.Backward(s.Frames) {
		if f.Kind == frameExit || f.Kind == frameTrap {
			return f.Status
		}
	}
	return s.Status
}

func (s *Shell) badNumber(name, arg string) kernel.Wait {
	if s.Dialect == bash {
		return s.fatal(name+": "+arg+": numeric argument required", 2)
	}
	return s.fatal(name+": Illegal number: "+arg, 2)
}

func (s *Shell) doReturn(args []string) kernel.Wait {
	n, ok := s.count(args, s.Status)
	switch {
	case !ok:
		return s.badNumber("return", args[1])
	case s.returnFrom(n & 0xff):
		return s.again()
	case s.Dialect == bash && s.Sub == 0:
		return s.fail("return: can only `return' from a function or sourced script", 2)
	}
	return s.leave(n)
}

func loops(leave bool) builtin {
	return func(s *Shell, args []string) kernel.Wait {
		n, ok := s.count(args, 1)
		if !ok || n < 1 {
			return s.badNumber(args[0], args[1])
		}
		s.Status = 0
		i := s.loopAt(n)
		if i < 0 && s.Dialect == bash {
			s.complain(args[0] + ": only meaningful in a `for', `while', or `until' loop")
		}
		if i >= 0 {
			s.Frames[i].Status = 0
		}
		if leave {
			s.breakLoop(n)
		} else {
			s.continueLoop(n)
		}
		return s.again()
	}
}

// source runs a text at the shell's position, and then returns there.
func (s *Shell) source(kind frameKind, text string, args []string) kernel.Wait {
	id := s.add(text, false)
	f := frame{Kind: kind, Unit: s.Unit, PC: s.PC, Own: id}
	if args != nil {
		old := s.Args
		f.Args = &old
	}
	if !s.push(f) {
		s.drop(id)
		return s.tooDeep()
	}
	if args != nil {
		s.Args = args
	}
	s.keepPrefix()
	s.Fields, s.Prefix, s.Status = nil, nil, 0
	s.jump(id, 0)
	return s.again()
}

func (s *Shell) eval(args []string) kernel.Wait {
	if len(args) > 1 && args[1] == "--" {
		args = args[1:]
	}
	text := strings.Join(args[1:], " ")
	if strings.TrimSpace(text) == "" {
		s.Status = 0
		return s.again()
	}
	return s.source(frameEval, text, nil)
}

func (s *Shell) dot(args []string) kernel.Wait {
	if len(args) < 2 {
		return s.fail(args[0]+": filename argument required", 2)
	}
	name := args[1]
	file := s.p.Path(name)
	if !strings.Contains(name, "/") {
		for _, dir := range strings.Split(s.get("PATH"), ":") {
			if info, err := s.p.FS().Stat(path.Join(s.p.Path(dir), name)); err == nil && info.IsRegular() {
				file = path.Join(s.p.Path(dir), name)
				break
			}
		}
	}
	content, err := s.p.FS().ReadFile(file)
	if err != nil {
		switch s.Dialect {
		case bash:
			return s.fail(name+": "+reason(err), 1)
		case dash:
			return s.fatal(".: cannot open "+name+": No such file", 2)
		}
		return s.fatal(".: can't open '"+name+"': "+reason(err), 2)
	}
	var rest []string
	if len(args) > 2 && s.Dialect != dash {
		rest = slices.Clone(args[2:])
	}
	return s.source(frameSource, string(content), rest)
}

func (s *Shell) shift(args []string) kernel.Wait {
	n, ok := s.count(args, 1)
	if !ok || n < 0 {
		return s.badNumber("shift", args[1])
	}
	if n > len(s.Args) {
		if s.Dialect == dash {
			return s.fatal("shift: can't shift that many", 2)
		}
		s.Status = 1
		return s.again()
	}
	s.Args = s.Args[n:]
	s.Status = 0
	return s.again()
}

func (s *Shell) execBuiltin(args []string) kernel.Wait {
	args = args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	s.keepRedirs()
	if len(args) == 0 {
		for _, a := range s.Prefix {
			s.set(a.Name, string(a.Value))
		}
		s.Status = 0
		return s.again()
	}
	name := args[0]
	if strings.HasPrefix(name, "-") {
		return s.foreign("exec " + name + " is not emulated")
	}
	file, err := kernel.LookPath(s.p.FS(), name, s.get("PATH"), s.p.Cwd)
	if err == nil {
		var w kernel.Wait
		if w, err = s.p.Exec(file, slices.Clone(args), s.environ()); err == nil {
			return w
		}
	}
	if isMissing(err) && s.Dialect != dash {
		s.complain("exec: " + name + ": not found")
		return s.leave(127)
	}
	if isMissing(err) {
		s.complain("exec: " + name + ": not found")
		return s.leave(127)
	}
	s.complain("exec: " + name + ": " + reason(err))
	return s.leave(126)
}
