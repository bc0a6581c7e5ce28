package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestStrace_Injects: while it is attached, and only then, a process and its children cannot make
// files longer.
func TestStrace_Injects(t *testing.T) {
	t.Parallel()
	if err := diskFaults(t.Context()); err != nil {
		t.Skip("faults of the disk cannot be injected here: ", err)
	}
	shell := exec.Command("sh", "-c", `while read -r file; do fallocate -l 10 "$file" 2>&1 || true; echo done; done`)
	in, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = shell.Wait() })
	file := t.TempDir() + "/file"
	grow := func() string {
		t.Helper()
		if _, err := in.Write([]byte(file + "\n")); err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		for b := make([]byte, 1000); !strings.Contains(said.String(), "done"); {
			n, err := out.Read(b)
			if err != nil {
				t.Fatal(err)
			}
			said.Write(b[:n])
		}
		return said.String()
	}
	stop, err := strace(t.Context(), injections[FullDisk], []int{shell.Process.Pid})
	if err != nil {
		t.Fatal(err)
	}
	if got := grow(); !strings.Contains(got, "No space left on device") {
		t.Errorf("under the fault: %q", got)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if got := grow(); got != "done\n" {
		t.Errorf("after the fault: %q", got)
	}
	if info, err := os.Stat(file); err != nil || info.Size() != 10 {
		t.Errorf("the file: %v, %v", info, err)
	}
}
