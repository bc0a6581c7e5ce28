package kernel

import (
	"strconv"
	"strings"
)

// Signal is the number of a signal on Linux.
type Signal int

// The signals.
const (
	SIGHUP   Signal = 1
	SIGINT   Signal = 2
	SIGQUIT  Signal = 3
	SIGABRT  Signal = 6
	SIGKILL  Signal = 9
	SIGUSR1  Signal = 10
	SIGUSR2  Signal = 12
	SIGPIPE  Signal = 13
	SIGALRM  Signal = 14
	SIGTERM  Signal = 15
	SIGCHLD  Signal = 17
	SIGCONT  Signal = 18
	SIGSTOP  Signal = 19
	SIGTSTP  Signal = 20
	SIGWINCH Signal = 28
)

// signalNames are the names of the signals by number, without SIG.
var signalNames = [...]string{
	1: "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT",
	"CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
}

// String returns the name of a signal without SIG, such as "TERM", or its number.
func (s Signal) String() string {
	if s > 0 && int(s) < len(signalNames) {
		return signalNames[s]
	}
	return strconv.Itoa(int(s))
}

// Describe returns what a shell prints for a process that a signal ended, such as "Terminated".
func (s Signal) Describe() string {
	switch s {
	case SIGHUP:
		return "Hangup"
	case SIGINT:
		return "Interrupt"
	case SIGQUIT:
		return "Quit"
	case SIGABRT:
		return "Aborted"
	case SIGKILL:
		return "Killed"
	case SIGUSR1:
		return "User defined signal 1"
	case SIGUSR2:
		return "User defined signal 2"
	case SIGPIPE:
		return "Broken pipe"
	case SIGALRM:
		return "Alarm clock"
	case SIGTERM:
		return "Terminated"
	}
	return "Signal " + strconv.Itoa(int(s))
}

// ParseSignal parses a signal as kill and trap take it: "TERM", "SIGTERM", "term" or "15". 0 is a
// signal too, which only tests whether the process exists.
func ParseSignal(name string) (Signal, bool) {
	if n, err := strconv.Atoi(name); err == nil {
		return Signal(n), n >= 0 && n < 65
	}
	name = strings.TrimPrefix(strings.ToUpper(name), "SIG")
	for n, known := range signalNames {
		if known != "" && known == name {
			return Signal(n), true
		}
	}
	return 0, false
}

// signalSet is a set of signals, one bit each.
type signalSet uint64

func (s signalSet) has(sig Signal) bool { return s>>uint(sig)&1 != 0 }
func (s *signalSet) add(sig Signal)     { *s |= 1 << uint(sig) }
func (s *signalSet) remove(sig Signal)  { *s &^= 1 << uint(sig) }
func ignoredByDefault(sig Signal) bool {
	switch sig {
	case SIGCHLD, SIGCONT, SIGWINCH, 23, SIGSTOP, SIGTSTP, 21, 22:
		return true // stopping and continuing are not emulated
	}
	return false
}

// deliver delivers a signal to a process. Inside its pid namespace, pid 1 gets only signals that it
// handles; from outside, KILL ends it too.
func (k *Kernel) deliver(p *Process, sig Signal, outside bool) {
	if sig <= 0 || p.Zombie {
		return
	}
	switch {
	case sig == SIGKILL:
		if p.PID != 1 || outside {
			p.Killed = true
			k.end(p, 128+int(sig), false)
		}
	case p.Ignored.has(sig) && sig != SIGSTOP:
	case p.Handled.has(sig):
		p.Pending.add(sig)
		if p.Wait.Interruptible {
			k.wake(p)
		}
	case p.PID == 1 || ignoredByDefault(sig):
	default:
		p.Killed = true
		k.end(p, 128+int(sig), false)
	}
}

// Handle keeps a signal in Process.Pending until the program takes it.
func (p *Process) Handle(sig Signal) {
	p.Handled.add(sig)
	p.Ignored.remove(sig)
}

// Ignore makes a signal have no effect, also in programs that the process becomes or starts.
func (p *Process) Ignore(sig Signal) {
	p.Ignored.add(sig)
	p.Handled.remove(sig)
	p.Pending.remove(sig)
}

// Default restores the default effect of a signal.
func (p *Process) Default(sig Signal) {
	p.Ignored.remove(sig)
	p.Handled.remove(sig)
	p.Pending.remove(sig)
}

// Ignores reports whether a signal is ignored.
func (p *Process) Ignores(sig Signal) bool { return p.Ignored.has(sig) }

// TakeSignal takes the lowest handled signal that has arrived.
func (p *Process) TakeSignal() (Signal, bool) {
	for sig := Signal(1); p.Pending>>uint(sig) != 0; sig++ {
		if p.Pending.has(sig) {
			p.Pending.remove(sig)
			return sig, true
		}
	}
	return 0, false
}

// HasSignal reports whether a handled signal has arrived and was not taken.
func (p *Process) HasSignal(sig Signal) bool { return p.Pending.has(sig) }

// Signalled reports whether any handled signal has arrived.
func (p *Process) Signalled() bool { return p.Pending != 0 }

// Signal sends a signal to a process that it sees, like kill(2): pid 0 means all processes of its
// sandbox, and a negative pid all others that it sees, except pid 1. Signal 0 only tests. It
// returns false if there is no such process.
func (p *Process) Signal(pid int, sig Signal) bool {
	if pid <= 0 {
		found := false
		for _, q := range p.k.visible(p.box) {
			if q != p && (pid == 0 && q.box == p.box || pid != 0) && (q.PID != 1 || pid == 0) && !q.Zombie {
				p.k.deliver(q, sig, false)
				found = true
			}
		}
		if pid == 0 {
			p.k.deliver(p, sig, false)
			found = true
		}
		return found
	}
	if p.box.Namespace == Shared && pid == 1 {
		return true // the pause process ignores signals
	}
	q := p.k.reached(p.box, pid)
	if q == nil {
		return false
	}
	p.k.deliver(q, sig, false)
	return true
}
