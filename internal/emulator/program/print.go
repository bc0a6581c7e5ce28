package program

import (
	"path"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// name returns the process's name in messages.
func name(p *kernel.Process) string {
	if len(p.Args) == 0 {
		return ""
	}
	return path.Base(p.Args[0])
}

// complain writes a line to standard error, as far as that takes it at once.
func complain(p *kernel.Process, text string) {
	_, _ = p.Write(2, []byte(name(p)+": "+text+"\n"))
}

// fail is complain, and ends the program.
func fail(p *kernel.Process, text string) kernel.Wait {
	complain(p, text)
	return kernel.Done(1)
}

// finish writes text to standard output, however long that takes, and then ends the process.
func finish(p *kernel.Process, text string, code int) kernel.Wait {
	return finishWith(p, code, piece{1, []byte(text)})
}

// finishWith writes to standard output and standard error, however long that takes, and then ends
// the process.
func finishWith(p *kernel.Process, code int, out ...piece) kernel.Wait {
	for _, o := range out {
		p.Use(int64(len(o.Data)))
	}
	t := &Tool{Ended: true, Code: code, Out: out}
	p.Run.Program = t
	return t.ended(p, 0)
}
