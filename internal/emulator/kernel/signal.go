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
