package program

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("yes", &Yes{})
	kernel.Provide("yes", func([]string) kernel.Program { return &Yes{} })
}

// yesBytes is roughly how many bytes yes writes at once.
const yesBytes = 4096

// Yes prints a line until its reader closes the pipe.
type Yes struct{ Out Tool }

// Step implements kernel.Program.
func (y *Yes) Step(p *kernel.Process) kernel.Wait {
	if w, ok := y.Out.flush(p); !ok {
		return w
	}
	line := "y\n"
	if len(p.Args) > 1 {
		line = strings.Join(p.Args[1:], " ") + "\n"
	}
	text := strings.Repeat(line, max(1, yesBytes/len(line)))
	p.Use(int64(len(text)))
	y.Out.Out = []piece{{1, []byte(text)}}
	return kernel.Wait{Steps: len(text) / bytesPerStep}
}
