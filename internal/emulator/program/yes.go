package program

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("yes", &Yes{})
	kernel.Provide("yes", func([]string) kernel.Program { return &Yes{} })
}

// yesBytes is about how much yes writes at once.
const yesBytes = 4096

// Yes prints a line for as long as somebody takes it.
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
