package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// jobOf finds a job by its pid or as %n; −1 for none.
func (s *Shell) jobOf(arg string) int {
	if n, ok := strings.CutPrefix(arg, "%"); ok {
		i, err := strconv.Atoi(n)
		if n == "%" || n == "+" || n == "" {
			return len(s.Jobs) - 1
		}
		if err != nil || i < 1 || i > len(s.Jobs) {
			return -1
		}
		return i - 1
	}
	pid, err := strconv.Atoi(arg)
	if err != nil {
		return -1
	}
	return slices.IndexFunc(s.Jobs, func(j job) bool { return j.PID == pid })
}

func (s *Shell) wait(args []string) kernel.Wait {
	args = args[1:]
	s.reapJobs()
	if s.p.Signalled() {
		for sig := kernel.Signal(1); sig < 65; sig++ {
			if s.p.HasSignal(sig) && s.Traps[int(sig)] != "" {
				s.Status = 128 + int(sig)
				return s.again()
			}
		}
	}
	next := len(args) > 0 && args[0] == "-n"
	if next {
		args = args[1:]
	}
	pause := func(pid int) kernel.Wait {
		return s.stay(kernel.Wait{For: kernel.Child, PID: pid, Interruptible: true})
	}
	if next {
		for i, j := range s.Jobs {
			if j.Done {
				s.Status = j.Status
				s.Jobs = slices.Delete(s.Jobs, i, i+1)
				return s.again()
			}
		}
		if len(s.Jobs) == 0 {
			s.Status = 127
			return s.again()
		}
		return pause(0)
	}
	if len(args) == 0 {
		for _, j := range s.Jobs {
			if !j.Done && !j.Hidden {
				return pause(j.PID)
			}
		}
		s.Jobs = slices.DeleteFunc(s.Jobs, func(j job) bool { return !j.Hidden })
		s.Status = 0
		return s.again()
	}
	for _, arg := range args {
		i := s.jobOf(arg)
		if i < 0 {
			if s.Dialect == bash {
				s.complain("wait: pid " + arg + " is not a child of this shell")
			}
			s.Status = 127
			continue
		}
		if !s.Jobs[i].Done {
			return pause(s.Jobs[i].PID)
		}
		s.Status = s.Jobs[i].Status
	}
	return s.again()
}

func (s *Shell) jobs(args []string) kernel.Wait {
	s.reapJobs()
	s.Status = 0
	for i, j := range s.Jobs {
		if j.Hidden {
			continue
		}
		state := "Running"
		if j.Done {
			state = "Done"
		}
		if len(args) > 1 && args[1] == "-p" {
			_ = s.print(strconv.Itoa(j.PID) + "\n")
			continue
		}
		_ = s.print(fmt.Sprintf("[%d]  %-22s %s\n", i+1, state, j.Text))
	}
	s.Jobs = slices.DeleteFunc(s.Jobs, func(j job) bool { return j.Done && j.PID != s.LastJob })
	return s.again()
}

func (s *Shell) kill(args []string) kernel.Wait {
	args = args[1:]
	sig := kernel.SIGTERM
	s.Status = 0
	if len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && args[0] != "--" {
		name := args[0][1:]
		args = args[1:]
		switch {
		case name == "l":
			return s.listSignals(args)
		case name == "s" || name == "n":
			if len(args) == 0 {
				return s.fail("kill: option requires an argument -- "+name, 2)
			}
			name, args = args[0], args[1:]
		}
		var ok bool
		if sig, ok = kernel.ParseSignal(name); !ok {
			message := map[dialect]string{
				bash: name + ": invalid signal specification",
				dash: "invalid signal number or name: " + name,
				ash:  "bad signal name '" + name + "'",
			}[s.Dialect]
			return s.fail("kill: "+message, 1)
		}
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return s.fail("kill: you need to specify whom to kill", 1)
	}
	for _, arg := range args {
		pid, err := strconv.Atoi(arg)
		if i := s.jobOf(arg); i >= 0 {
			pid, err = s.Jobs[i].PID, nil
		}
		if err != nil {
			s.complain("kill: " + map[dialect]string{
				bash: arg + ": arguments must be process or job IDs",
				dash: "Illegal number: " + arg,
				ash:  "invalid number '" + arg + "'",
			}[s.Dialect])
			s.Status = 1
			continue
		}
		s.reapJobs()
		if !s.p.Signal(pid, sig) {
			s.complain(map[dialect]string{
				bash: "kill: (" + arg + ") - No such process",
				dash: "kill: No such process",
				ash:  "can't kill pid " + arg + ": No such process",
			}[s.Dialect])
			s.Status = 1
		}
	}
	return s.again()
}

func (s *Shell) listSignals(args []string) kernel.Wait {
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil {
			sig, ok := kernel.ParseSignal(args[0])
			if !ok {
				return s.fail("kill: "+args[0]+": invalid signal specification", 1)
			}
			_ = s.print(strconv.Itoa(int(sig)) + "\n")
			return s.again()
		}
		if n > 128 {
			n -= 128
		}
		_ = s.print(kernel.Signal(n).String() + "\n")
		return s.again()
	}
	for sig := kernel.Signal(1); sig < 32; sig++ {
		_ = s.print(fmt.Sprintf("%2d) SIG%s\n", int(sig), sig))
	}
	return s.again()
}

func (s *Shell) noJobs(args []string) kernel.Wait {
	return s.fail(args[0]+": no job control", 1)
}
