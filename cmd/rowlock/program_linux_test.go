package main

import (
	"io"
	"os"
	"testing"

	"github.com/prometheus/procfs"
)

// TestReleaseProgram: the process continues with fewer resident pages of files. The test is not
// parallel, because other tests would use the program meanwhile.
func TestReleaseProgram(t *testing.T) {
	self, err := procfs.Self()
	if err != nil {
		t.Fatal(err)
	}
	useProgram(t, self)
	before := residentFile(t, self)
	releaseProgram()
	if after := residentFile(t, self); after > before/2 {
		t.Errorf("%d bytes of files were resident, and %d are", before, after)
	}
}

// useProgram makes all pages of the program resident.
func useProgram(t *testing.T, self procfs.Proc) {
	t.Helper()
	program, err := self.Executable()
	if err != nil {
		t.Fatal(err)
	}
	maps, err := self.ProcMaps()
	if err != nil {
		t.Fatal(err)
	}
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close() //nolint:errcheck // it was only read
	for _, m := range maps {
		if m.Pathname != program {
			continue
		}
		if _, err := io.Copy(io.Discard, io.NewSectionReader(memory, int64(m.StartAddr), int64(m.EndAddr-m.StartAddr))); err != nil {
			t.Fatal(err)
		}
	}
}

// residentFile returns how many bytes of files are resident in this process.
func residentFile(t *testing.T, self procfs.Proc) uint64 {
	t.Helper()
	status, err := self.NewStatus()
	if err != nil {
		t.Fatal(err)
	}
	return status.RssFile
}
