package program

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func init() {
	kernel.Register("wrap", &Wrap{})
	kernel.Register("timeout", &Timeout{})
	kernel.Register("timed", &Timed{})
	for _, name := range []string{"env", "nohup", "nice", "setsid", "stdbuf", "ionice"} {
		kernel.Provide(name, func([]string) kernel.Program { return &Wrap{Name: name} })
	}
	kernel.Provide("timeout", func([]string) kernel.Program { return &Timeout{} })
	kernel.Provide("time", func([]string) kernel.Program { return &Timed{} })
}

// Wrap is a program that only prepares another one, and then becomes it: env, nohup, nice and the
// like.
type Wrap struct{ Name string }

// Step implements kernel.Program.
func (w *Wrap) Step(p *kernel.Process) kernel.Wait {
	args := p.Args[1:]
	switch w.Name {
	case "env":
		return env(p, args)
	case "nohup":
		p.Ignore(kernel.SIGHUP)
	case "nice", "ionice":
		for len(args) > 0 && strings.HasPrefix(args[0], "-") {
			if (args[0] == "-n" || args[0] == "-c") && len(args) > 1 {
				args = args[1:]
			}
			args = args[1:]
		}
		if len(args) == 0 && w.Name == "nice" {
			_, _ = p.Write(1, []byte("0\n"))
			return kernel.Done(0)
		}
	default:
		for len(args) > 0 && strings.HasPrefix(args[0], "-") {
			args = args[1:]
		}
	}
	if len(args) == 0 {
		return fail(p, "missing command")
	}
	return become(p, args, p.Env)
}

// env sets variables and becomes a program, or prints the environment.
func env(p *kernel.Process, args []string) kernel.Wait {
	vars := slices.Clone([]string(p.Env))
	unset := func(name string) {
		vars = slices.DeleteFunc(vars, func(v string) bool { return strings.HasPrefix(v, name+"=") })
	}
	end := "\n"
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		switch arg := args[0]; {
		case arg == "-i" || arg == "-" || arg == "--ignore-environment":
			vars = nil
		case arg == "-0" || arg == "--null":
			end = "\x00"
		case arg == "-u" && len(args) > 1:
			unset(args[1])
			args = args[1:]
		case strings.HasPrefix(arg, "-u") || strings.HasPrefix(arg, "--unset="):
			unset(strings.TrimPrefix(strings.TrimPrefix(arg, "--unset="), "-u"))
		case arg == "--":
		default:
			complain(p, "rowlock: option "+arg+" is not emulated")
			return kernel.Done(125)
		}
		args = args[1:]
	}
	for len(args) > 0 && strings.Contains(args[0], "=") {
		name, _, _ := strings.Cut(args[0], "=")
		unset(name)
		vars = append(vars, args[0])
		args = args[1:]
	}
	if len(args) == 0 {
		text := ""
		for _, v := range vars {
			text += v + end
		}
		return finish(p, text, 0)
	}
	if path := kernel.Getenv(vars, "PATH"); path != "" {
		if _, err := kernel.LookPath(p.FS(), args[0], path, p.Cwd); err != nil {
			if p.GNU() {
				complain(p, "‘"+args[0]+"’: "+vfs.Reason(err))
				return kernel.Done(127)
			}
			return kernel.Done(refuse(p, args[0], err))
		}
		p.Env = vars
	}
	return become(p, args, vars)
}

// Timeout runs a command and ends it after a time.
type Timeout struct {
	Child  int
	At     time.Duration `json:",omitempty"` // when it is ended; 0 means never
	Kill   time.Duration `json:",omitempty"` // how long after that it is killed; 0 means never
	Signal kernel.Signal
	Fired  bool `json:",omitempty"`
	Keep   bool `json:",omitempty"` // exit with the status of the ended command
}

// Step implements kernel.Program.
func (t *Timeout) Step(p *kernel.Process) kernel.Wait {
	if t.Child == 0 {
		return t.begin(p)
	}
	for {
		sig, ok := p.TakeSignal()
		if !ok {
			break
		}
		p.Signal(t.Child, sig)
	}
	child, found := p.Reap(t.Child)
	if child != nil || !found {
		switch {
		case child == nil:
			return kernel.Done(1)
		case t.Fired && p.GNU() && !t.Keep && t.Signal != kernel.SIGKILL:
			return kernel.Done(124)
		}
		return kernel.Done(child.Code)
	}
	if t.At > 0 && p.Since() >= t.At {
		sig := t.Signal
		if t.Fired {
			sig = kernel.SIGKILL
		}
		t.Fired = true
		p.Signal(t.Child, sig)
		t.At = 0
		if t.Kill > 0 {
			t.At, t.Kill = p.In(t.Kill), 0
		}
	}
	return kernel.Wait{For: kernel.Child, PID: t.Child, Until: t.At, Interruptible: true}
}

func (t *Timeout) begin(p *kernel.Process) kernel.Wait {
	args := p.Args[1:]
	t.Signal = kernel.SIGTERM
	bad := func(text string) kernel.Wait {
		complain(p, text)
		return kernel.Done(map[bool]int{true: 125, false: 1}[p.GNU()])
	}
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		opt, value := args[0], ""
		args = args[1:]
		switch {
		case opt == "--foreground" || opt == "-f" || opt == "-v" || opt == "--verbose":
			continue
		case opt == "--preserve-status" || opt == "-p":
			t.Keep = true
			continue
		case strings.HasPrefix(opt, "--signal=") || strings.HasPrefix(opt, "--kill-after="):
			opt, value, _ = strings.Cut(opt, "=")
			opt = "-" + opt[2:3]
		case len(opt) > 2 && (opt[1] == 's' || opt[1] == 'k'):
			opt, value = opt[:2], opt[2:]
		case len(args) > 0:
			value, args = args[0], args[1:]
		}
		ok := false
		switch opt {
		case "-s":
			t.Signal, ok = kernel.ParseSignal(value)
		case "-k":
			t.Kill, ok = parseSeconds(value)
		}
		if !ok {
			return bad("invalid option " + opt + " " + value)
		}
	}
	if len(args) < 2 {
		return bad("missing operand")
	}
	d, ok := parseSeconds(args[0])
	if !ok {
		return bad("invalid number '" + args[0] + "'")
	}
	if d > 0 {
		t.At = p.In(d)
	}
	for _, sig := range []kernel.Signal{kernel.SIGTERM, kernel.SIGINT, kernel.SIGHUP} {
		p.Handle(sig)
	}
	child, status := start(p, args[1:], p.Env)
	if child == nil {
		return kernel.Done(status)
	}
	t.Child = child.PID
	return kernel.Wait{For: kernel.Child, PID: t.Child, Until: t.At, Interruptible: true}
}

// Timed runs a command and prints how long it took.
type Timed struct {
	Child int
	Began time.Duration
}

// Step implements kernel.Program.
func (t *Timed) Step(p *kernel.Process) kernel.Wait {
	if t.Child == 0 {
		args := p.Args[1:]
		for len(args) > 0 && strings.HasPrefix(args[0], "-") {
			args = args[1:]
		}
		if len(args) == 0 {
			return fail(p, "missing command")
		}
		child, status := start(p, args, p.Env)
		if child == nil {
			return kernel.Done(status)
		}
		t.Child, t.Began = child.PID, p.Since()
	}
	child, found := p.Reap(t.Child)
	if child == nil && found {
		return kernel.Wait{For: kernel.Child, PID: t.Child}
	}
	show := func(d time.Duration) string {
		return strconv.Itoa(int(d/time.Minute)) + "m " + strconv.FormatFloat((d%time.Minute).Seconds(), 'f', 2, 64) + "s"
	}
	_, _ = p.Write(2, []byte("real\t"+show(p.Since()-t.Began)+"\nuser\t"+show(child.CPU)+"\nsys\t0m 0.00s\n"))
	return kernel.Done(child.Code)
}
