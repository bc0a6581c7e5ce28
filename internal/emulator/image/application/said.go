package application

import (
	"fmt"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// NotEmulatedCode is the exit code of a program that is known but not emulated, or not with these
// arguments, and has no stand-in.
const NotEmulatedCode = 125

// NotEmulatedProgram is the name under which NotEmulated is provided.
const NotEmulatedProgram = "not-emulated"

// maxText bounds what a program writes at once, in bytes.
const maxText = 64 << 10

// Said is a program whose result is known: it writes and ends.
type Said struct {
	Out, Err kernel.Text `json:",omitempty"`
	Code     int         `json:",omitempty"`
}

// Step implements kernel.Program.
func (s *Said) Step(p *kernel.Process) kernel.Wait {
	if s.Out != "" {
		if wait, done := write(p, 1, &s.Out); !done {
			return wait
		}
	}
	if s.Err != "" {
		if wait, done := write(p, 2, &s.Err); !done {
			return wait
		}
	}
	return kernel.Done(s.Code)
}

// write writes as much of a text as the descriptor takes. If anything is left, it returns what to
// wait for. As with most programs, text that cannot be written is lost.
func write(p *kernel.Process, fd int, text *kernel.Text) (kernel.Wait, bool) {
	n, err := p.Write(fd, []byte(*text))
	*text = (*text)[n:]
	if err == kernel.ErrWouldBlock {
		return kernel.Wait{For: kernel.Writable, FD: fd}, false
	}
	*text = ""
	return kernel.Wait{}, true
}

// say writes to a log, where text that does not fit may be lost.
func say(p *kernel.Process, fd int, text string) {
	_, _ = p.Write(fd, []byte(text))
}

// logGo writes a line as Go's log package does.
func logGo(p *kernel.Process, text string) {
	say(p, 2, p.Now().UTC().Format("2006/01/02 15:04:05 ")+text+"\n")
}

// NotEmulated is the program of an executable file that exists but is not emulated.
func NotEmulated(args []string) kernel.Program {
	return notEmulated(base(args), "")
}

// notEmulated returns a program that is not emulated, or not with these arguments.
func notEmulated(name, what string) *Unemulated {
	if what != "" {
		name += " " + what
	}
	return &Unemulated{What: kernel.Text(name)}
}

// Unemulated is a program that is not emulated.
type Unemulated struct {
	What kernel.Text // the program, or the part of it that is not emulated
}

// Step implements kernel.Program.
func (u *Unemulated) Step(p *kernel.Process) kernel.Wait {
	say(p, 2, fmt.Sprintf("rowlock: %s is not emulated\n", u.What))
	if p.Replace(string(u.What)) {
		return kernel.Wait{}
	}
	return kernel.Done(NotEmulatedCode)
}

func init() {
	kernel.Register("said", &Said{})
	kernel.Register("unemulated", &Unemulated{})
	kernel.Provide(NotEmulatedProgram, NotEmulated)
}
