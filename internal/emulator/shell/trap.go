package shell

import (
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// setTrap sets the action for a signal; 0 is the end of the shell.
func (s *Shell) setTrap(sig int, action string) {
	put(&s.Traps, sig, kernel.Text(action))
	switch {
	case sig == 0:
	case action == "":
		s.p.Ignore(kernel.Signal(sig))
	default:
		s.p.Handle(kernel.Signal(sig))
	}
}

// trapped starts the trap of a signal that has arrived; it returns false for none.
func (s *Shell) trapped() bool {
	sig, ok := s.p.TakeSignal()
	if !ok {
		return false
	}
	action := string(s.Traps[int(sig)])
	if action == "" {
		return false
	}
	id := s.add(action, false)
	f := frame{Kind: frameTrap, Unit: s.Unit, PC: s.PC - 1, Own: id, Status: s.Status, Fields: s.Fields, Prefix: s.Prefix}
	if !s.push(f) {
		s.drop(id)
		return false
	}
	s.Fields, s.Prefix = nil, nil
	s.jump(id, 0)
	return true
}

// parseTrap parses the condition of a trap.
func parseTrap(name string) (int, bool) {
	if strings.EqualFold(name, "EXIT") {
		return 0, true
	}
	sig, ok := kernel.ParseSignal(name)
	return int(sig), ok
}

func (s *Shell) trap(args []string) kernel.Wait {
	args = args[1:]
	s.Status = 0
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || args[0] == "-p" {
		return s.showTraps()
	}
	if args[0] == "-l" {
		return s.foreign("trap -l is not emulated")
	}
	action, sigs := args[0], args[1:]
	reset := action == "-"
	if _, err := strconv.Atoi(action); err == nil || len(sigs) == 0 {
		reset, sigs = true, args
	}
	for _, name := range sigs {
		switch strings.ToUpper(name) {
		case "ERR", "DEBUG", "RETURN":
			return s.foreign("trap … " + name + " is not emulated")
		}
		sig, ok := parseTrap(name)
		switch {
		case !ok && s.Dialect == bash:
			s.complain("trap: " + name + ": invalid signal specification")
			s.Status = 1
		case !ok:
			return s.fatal("trap: "+name+": "+map[dialect]string{dash: "bad trap", ash: "invalid signal specification"}[s.Dialect], 2)
		case reset:
			delete(s.Traps, sig)
			if sig > 0 {
				s.p.Default(kernel.Signal(sig))
			}
		case sig == int(kernel.SIGKILL) || sig == int(kernel.SIGSTOP):
		default:
			s.setTrap(sig, action)
		}
	}
	return s.again()
}

func (s *Shell) showTraps() kernel.Wait {
	for sig := range 65 {
		if action, ok := s.Traps[sig]; ok {
			name := "EXIT"
			if sig > 0 {
				name = kernel.Signal(sig).String()
				if s.Dialect == bash {
					name = "SIG" + name
				}
			}
			_ = s.print("trap -- " + quote(string(action)) + " " + name + "\n")
		}
	}
	return s.again()
}
