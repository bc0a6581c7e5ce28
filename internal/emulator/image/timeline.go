package image

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/image/application"
)

// Timeline is how a container's main process runs if it is not stopped, and what it does when it is
// told to stop.
type Timeline struct {
	// Forever says that the process does not end by itself; otherwise it ends with ExitCode after
	// ExitAfter.
	Forever   bool
	ExitAfter time.Duration
	ExitCode  int32

	// IgnoresTerm says that the process, as the first of its container, does not react to TERM and
	// must be killed; others end with TermCode at once.
	IgnoresTerm bool
	TermCode    int32

	// Served says that the process is a server whose ports and answers are known beforehand.
	// Understood says that the command line could be interpreted.
	Served, Understood bool
}

var untilStopped = Timeline{Forever: true}

// quick are commands that succeed at once, whatever their arguments.
var quick = []string{":", "true", "echo", "printf", "date", "touch", "mkdir", "rm", "env", "hostname", "id", "pwd", "uname"}

// Timeline returns how the container's main process runs in this image.
func (i *Image) Timeline(c *corev1.Container) Timeline {
	if len(c.Command)+len(c.Args) == 0 && !asksMore(c, application.NetexecActs) {
		return i.timeline // most containers run their image's default
	}
	return i.timelineOf(c)
}

func (i *Image) timelineOf(c *corev1.Container) Timeline {
	argv := i.model.argv(c)
	if len(argv) == 0 {
		return untilStopped
	}
	if p := i.model.plainly(argv); p != nil && !asksMore(c, p.acts) {
		return Timeline{Forever: true, Served: true, IgnoresTerm: !p.stops, TermCode: int32(p.code)}
	}
	return run(argv)
}

// asksMore reports whether a probe has a query, on which the answer may depend, or requests one of
// the paths in acts.
func asksMore(c *corev1.Container, acts []string) bool {
	for _, p := range [...]*corev1.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
		if p != nil && p.HTTPGet != nil && (strings.Contains(p.HTTPGet.Path, "?") || slices.Contains(acts, "/"+strings.TrimPrefix(p.HTTPGet.Path, "/"))) {
			return true
		}
	}
	return false
}

// argv returns the command line: command replaces entrypoint and cmd; args replaces only cmd.
func (m *Model) argv(c *corev1.Container) []string {
	if len(c.Command) > 0 {
		return append(c.Command[:len(c.Command):len(c.Command)], c.Args...)
	}
	if len(c.Args) > 0 {
		return append(m.Entrypoint[:len(m.Entrypoint):len(m.Entrypoint)], c.Args...)
	}
	return append(m.Entrypoint[:len(m.Entrypoint):len(m.Entrypoint)], m.Cmd...)
}

// run interprets a command line: sleep, false, the quick commands, and shells that run those.
func run(argv []string) Timeline {
	name := path.Base(argv[0])
	switch {
	case isShell(name):
		return runShell(argv)
	case name == "sleep":
		if t, ok := runSleep(argv[1:]); ok {
			return t
		}
	case slices.Contains(quick, name):
		return Timeline{Understood: true}
	case name == "false":
		return Timeline{ExitCode: 1, Understood: true}
	}
	return untilStopped
}

func isShell(name string) bool {
	switch path.Base(name) {
	case "sh", "bash", "ash", "dash":
		return true
	}
	return false
}

// runSleep adds up sleep's arguments; "infinity" never ends.
func runSleep(args []string) (Timeline, bool) {
	total := time.Duration(0)
	for _, arg := range args {
		if arg == "inf" || arg == "infinity" {
			return Timeline{Forever: true, IgnoresTerm: true, Understood: true}, true
		}
		unit := time.Second
		switch arg[max(len(arg)-1, 0):] {
		case "s":
			arg = arg[:len(arg)-1]
		case "m":
			arg, unit = arg[:len(arg)-1], time.Minute
		case "h":
			arg, unit = arg[:len(arg)-1], time.Hour
		case "d":
			arg, unit = arg[:len(arg)-1], 24*time.Hour
		}
		n, err := strconv.ParseFloat(arg, 64)
		if err != nil || n < 0 || n > 1e9 {
			return Timeline{}, false
		}
		total += time.Duration(n * float64(unit))
	}
	return Timeline{ExitAfter: total, IgnoresTerm: true, Understood: len(args) > 0}, len(args) > 0
}

// runShell interprets `sh -c SCRIPT` if the script is a plain list of commands that run knows,
// joined by ";", "&&" or newlines. A shell without a script reads an empty standard input and ends.
// A shell does not pass TERM on.
func runShell(argv []string) Timeline {
	if len(argv) == 1 {
		return Timeline{Understood: true}
	}
	opaque := Timeline{Forever: true, IgnoresTerm: true}
	if len(argv) < 3 || !strings.HasPrefix(argv[1], "-") || !strings.HasSuffix(argv[1], "c") {
		return opaque
	}
	script := argv[2]
	if strings.ContainsAny(strings.ReplaceAll(script, "&&", ""), "|&<`()\\#") {
		return opaque
	}
	result := Timeline{IgnoresTerm: true, Understood: true}
	for _, line := range strings.FieldsFunc(script, func(r rune) bool { return r == ';' || r == '\n' }) {
		for _, command := range strings.Split(line, "&&") {
			words := strings.Fields(command)
			if len(words) == 0 {
				continue
			}
			if words[0] == "exit" {
				return exit(result, words[1:], opaque)
			}
			t := run(words)
			if !t.Understood {
				return opaque
			}
			if t.Forever {
				return t
			}
			result.ExitAfter += t.ExitAfter
			if result.ExitCode = t.ExitCode; t.ExitCode != 0 {
				break // && goes on only after success
			}
		}
	}
	return result
}

// exit ends a script that got this far, with the given code or that of the last command.
func exit(result Timeline, args []string, opaque Timeline) Timeline {
	if len(args) == 0 {
		return result
	}
	code, err := strconv.ParseUint(args[0], 10, 31)
	if err != nil || len(args) > 1 {
		return opaque
	}
	result.ExitCode = int32(code & 0xff)
	return result
}
