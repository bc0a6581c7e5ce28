package program

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("ps", &PS{})
	kernel.Provide("ps", func([]string) kernel.Program { return &PS{} })
	kernel.Provide("free", func([]string) kernel.Program { return &PS{Free: true} })
}

// PS prints the processes of the container, as busybox does, or as procps' "ps", "ps -ef" and "ps
// aux" if the container has GNU's programs. As free it prints how much memory there is.
type PS struct {
	Free bool `json:",omitempty"`
}

// Step implements kernel.Program.
func (f *PS) Step(p *kernel.Process) kernel.Wait {
	if f.Free {
		return free(p)
	}
	var b strings.Builder
	arg := strings.TrimPrefix(strings.Join(p.Args[1:], " "), "-")
	switch {
	case strings.Contains(arg, "o"):
		return fail(p, "rowlock: option -o is not emulated")
	case !p.GNU():
		b.WriteString("PID   USER     TIME  COMMAND\n")
	case strings.Contains(arg, "u"):
		b.WriteString("USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n")
	case strings.Contains(arg, "f"):
		b.WriteString("UID          PID    PPID  C STIME TTY          TIME CMD\n")
	default:
		b.WriteString("    PID TTY          TIME CMD\n")
	}
	for _, s := range p.List() {
		command := strings.Join(s.Args, " ")
		short := ""
		if len(s.Args) > 0 {
			short = path.Base(s.Args[0])
		}
		if s.State == 'Z' {
			command = "[" + short + "]"
		}
		min, sec := int(s.CPU/time.Minute), int(s.CPU%time.Minute/time.Second)
		clock := fmt.Sprintf("%02d:%02d:%02d", min/60, min%60, sec)
		switch {
		case !p.GNU():
			fmt.Fprintf(&b, "%5d %-8s %3d:%02d %s\n", s.PID, userName(p), min, sec, command)
		case strings.Contains(arg, "u"):
			fmt.Fprintf(&b, "%-10s %5d  0.0  0.0 %6d %5d ?        %-4s %s %6s %s\n", userName(p), s.PID, s.Bytes/1024,
				s.Bytes/1024, string(s.State)+"s", s.Started.Format("15:04"), fmt.Sprintf("%d:%02d", min, sec), command)
		case strings.Contains(arg, "f"):
			fmt.Fprintf(&b, "%-8s %7d %7d  0 %s ?        %s %s\n", userName(p), s.PID, s.Parent, s.Started.Format("15:04"), clock, command)
		default:
			fmt.Fprintf(&b, "%7d ?        %s %s\n", s.PID, clock, short)
		}
	}
	return finish(p, b.String(), 0)
}

// userName returns the name of the sandbox's user in /etc/passwd, or its number.
func userName(p *kernel.Process) string {
	id := strconv.Itoa(p.UID())
	text, _ := p.FS().ReadFile("/etc/passwd")
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(line, ":"); len(f) > 2 && f[2] == id {
			return f[0]
		}
	}
	if id == "0" {
		return "root"
	}
	return id
}

func free(p *kernel.Process) kernel.Wait {
	total, used := p.Limit()/1024, p.Memory()/1024
	unit := int64(1)
	for _, a := range p.Args[1:] {
		switch a {
		case "-m":
			unit = 1024
		case "-k":
		default:
			return fail(p, "rowlock: option "+a+" is not emulated")
		}
	}
	total, used = total/unit, used/unit
	text := "              total        used        free      shared  buff/cache   available\n" +
		fmt.Sprintf("Mem:    %11d %11d %11d %11d %11d %11d\nSwap:   %11d %11d %11d\n", total, used, total-used, 0, 0, total-used, 0, 0, 0)
	return finish(p, text, 0)
}
