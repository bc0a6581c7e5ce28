package program

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("kill", &Kill{})
	for _, name := range []string{"kill", "killall", "pkill", "pgrep", "pidof"} {
		kernel.Provide(name, func([]string) kernel.Program { return &Kill{Name: name} })
	}
}

// Kill sends signals to processes, by pid or by name, or finds their pids.
type Kill struct{ Name string }

// Step implements kernel.Program.
func (k *Kill) Step(p *kernel.Process) kernel.Wait {
	args := p.Args[1:]
	sig := kernel.SIGTERM
	full, quiet := false, false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
		case arg == "-l" && k.Name != "pgrep":
			return list(p, args)
		case arg == "-f":
			full = true
			continue
		case arg == "-q":
			quiet = true
			continue
		case arg == "-x" || arg == "-s" && k.Name == "pidof" || arg == "-o" || arg == "-n" || arg == "-a":
			if arg == "-x" {
				continue
			}
			return fail(p, "rowlock: option "+arg+" is not emulated")
		case arg == "-s" && len(args) > 0:
			arg, args = "-"+args[0], args[1:]
			fallthrough
		default:
			var ok bool
			if sig, ok = kernel.ParseSignal(arg[1:]); !ok {
				return fail(p, "bad signal name '"+arg[1:]+"'")
			}
		}
	}
	if len(args) == 0 {
		return fail(p, "you need to specify whom to kill")
	}
	if k.Name == "kill" {
		return byPID(p, sig, args)
	}
	return k.byName(p, sig, args, full, quiet)
}

func byPID(p *kernel.Process, sig kernel.Signal, args []string) kernel.Wait {
	code := 0
	for _, arg := range args {
		pid, err := strconv.Atoi(arg)
		switch {
		case err != nil:
			complain(p, "invalid number '"+arg+"'")
			code = 1
		case !p.Signal(pid, sig):
			complain(p, "can't kill pid "+arg+": No such process")
			code = 1
		}
	}
	return kernel.Done(code)
}

func list(p *kernel.Process, args []string) kernel.Wait {
	text := ""
	if len(args) > 0 {
		sig, ok := kernel.ParseSignal(args[0])
		if n, err := strconv.Atoi(args[0]); err == nil {
			text = kernel.Signal(n&0x7f).String() + "\n"
		} else if text = strconv.Itoa(int(sig)) + "\n"; !ok {
			return fail(p, "bad signal name '"+args[0]+"'")
		}
		return finish(p, text, 0)
	}
	for sig := kernel.Signal(1); sig < 32; sig++ {
		text += fmt.Sprintf("%2d) %s\n", int(sig), sig)
	}
	return finish(p, text, 0)
}

func (k *Kill) byName(p *kernel.Process, sig kernel.Signal, names []string, full, quiet bool) kernel.Wait {
	var found []string
	code := 1
	for _, name := range names {
		any := false
		for _, s := range p.List() {
			if s.PID == p.PID || s.State == 'Z' || len(s.Args) == 0 {
				continue
			}
			is := path.Base(s.Args[0]) == path.Base(name)
			switch {
			case full:
				is = strings.Contains(strings.Join(s.Args, " "), name)
			case k.Name == "pgrep" || k.Name == "pkill":
				is = strings.Contains(path.Base(s.Args[0]), name)
			}
			if !is {
				continue
			}
			any = true
			found = append(found, strconv.Itoa(s.PID))
			if k.Name == "pkill" || k.Name == "killall" {
				p.Signal(s.PID, sig)
			}
		}
		if any {
			code = 0
		} else if k.Name == "killall" && !quiet {
			complain(p, name+": no process killed")
		}
	}
	switch {
	case len(found) == 0:
	case k.Name == "pidof":
		slices.Reverse(found)
		return finish(p, strings.Join(found, " ")+"\n", code)
	case k.Name == "pgrep":
		return finish(p, strings.Join(found, "\n")+"\n", code)
	}
	return kernel.Done(code)
}
