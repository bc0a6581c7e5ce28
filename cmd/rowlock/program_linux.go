package main

import (
	"bytes"
	"os"
	"syscall"

	"github.com/prometheus/procfs"
)

// releaseProgram makes the pages of the program itself, its code and constants, no longer resident.
// Linux keeps them in the page cache, and maps a page again when it is next used. A start uses half
// of the program, and a process at rest only a few pages of it. A traced process keeps its pages,
// because they contain the debugger's breakpoints.
func releaseProgram() {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil || !bytes.Contains(status, []byte("\nTracerPid:\t0\n")) {
		return
	}
	self, err := procfs.Self()
	if err != nil {
		return
	}
	program, err := self.Executable()
	if err != nil {
		return
	}
	maps, err := self.ProcMaps()
	if err != nil {
		return
	}
	for _, m := range maps {
		if m.Pathname == program && !m.Perms.Write {
			// A region that the kernel cannot release, for example because it is locked, stays resident.
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.StartAddr, m.EndAddr-m.StartAddr, syscall.MADV_DONTNEED)
		}
	}
}
