package program

import (
	"slices"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("busybox", &Busybox{})
	kernel.Provide("busybox", func([]string) kernel.Program { return &Busybox{} })
}

// Busybox is one program with many names: it acts as the one by which it is called, or as its first
// argument.
type Busybox struct{}

// Step implements kernel.Program.
func (b *Busybox) Step(p *kernel.Process) kernel.Wait {
	if name(p) == "busybox" {
		p.Args = slices.Clone(p.Args[1:])
	}
	if len(p.Args) == 0 {
		p.Args = []string{"busybox"}
		return finish(p, "BusyBox v1.37.0 (2024-09-26 21:31:42 UTC) multi-call binary.\n\nUsage: busybox [function [arguments]...]\n", 0)
	}
	start := kernel.Provided(name(p))
	if start == nil || name(p) == "busybox" {
		_, _ = p.Write(2, []byte(p.Args[0]+": applet not found\n"))
		return kernel.Done(127)
	}
	p.Run.Program = start(p.Args)
	return kernel.Wait{}
}
