package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnchanging(t *testing.T) {
	t.Parallel()
	const maps = `00400000-0264d000 r-xp 00000000 fe:00 10027184                           /opt/row lock
0264d000-04a17000 r--p 0224d000 fe:00 10027184                           /opt/row lock
04a17000-04b24000 rw-p 04617000 fe:00 10027184                           /opt/row lock
2fc911000000-2fc913000000 rw-p 00000000 00:00 0 
7f658c601000-7f658c707000 r--p 00000000 fe:00 316533                     /usr/lib/row lock
7ffc8d5f8000-7ffc8d5fc000 r--p 00000000 00:00 0                          [vvar]
`
	want := []region{{0x400000, 0x264d000}, {0x264d000, 0x4a17000}}
	if diff := cmp.Diff(want, unchanging(strings.NewReader(maps), "/opt/row lock"), cmp.AllowUnexported(region{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReleaseProgram: the process works on, with fewer of its files' pages. It cannot be parallel,
// as other tests use the program meanwhile.
func TestReleaseProgram(t *testing.T) {
	before := residentFile(t)
	releaseProgram()
	if after := residentFile(t); after > before/2 {
		t.Errorf("%d kB of files were resident, and %d kB are", before, after)
	}
}

// residentFile returns how many kB of files are resident in this process.
func residentFile(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "\nRssFile:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kB, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	return kB
}
