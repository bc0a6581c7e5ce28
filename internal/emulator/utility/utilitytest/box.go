// Package utilitytest provides containers for the tests of utilities.
package utilitytest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Noon is the time in the tests.
var Noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// Box is a container to call utilities in.
type Box struct {
	FS  *vfs.View
	Cwd string
	Env map[string]string
	GNU bool
	UID int
}

// New returns a Box with files by path; a path with a slash at the end is a directory.
func New(t testing.TB, files map[string]string) *Box {
	t.Helper()
	entries := append(vfs.Devices(),
		vfs.Entry{Path: "/etc/passwd", Data: []byte("root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n")},
		vfs.Entry{Path: "/etc/group", Data: []byte("root:x:0:root\nnobody:x:65534:\n")},
		vfs.Entry{Path: "/tmp", Mode: vfs.ModeDir | vfs.ModeSticky | 0o777},
		vfs.Entry{Path: "/work", Mode: vfs.ModeDir | 0o755},
	)
	base, err := vfs.NewBase("test", Noon.Add(-24*time.Hour), entries)
	if err != nil {
		t.Fatal(err)
	}
	b := &Box{FS: vfs.NewView(vfs.NewTree("root", base, Noon), "seed", Noon), Cwd: "/work", Env: map[string]string{"HOME": "/root"}}
	for name, text := range files {
		if !strings.HasPrefix(name, "/") {
			name = "/work/" + name
		}
		if dir := name[:strings.LastIndexByte(name, '/')]; dir != "" {
			if err := b.FS.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.HasSuffix(name, "/") {
			if err := b.FS.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b
}

// Outcome is the result of a call.
type Outcome struct {
	Out  string
	Err  string
	Exit int
}

// Run calls a utility. A Stream gets its input in small pieces, and its state goes through JSON
// between them.
func (b *Box) Run(t testing.TB, stdin string, args ...string) Outcome {
	t.Helper()
	u, ok := catalogue.Lookup(args[0])
	if !ok {
		t.Fatalf("there is no %s", args[0])
	}
	var out, errs bytes.Buffer
	c := &utility.Call{
		Args: args, Env: b.Env, Cwd: b.Cwd, FS: b.FS, Now: Noon, Hostname: "web-0", IP: "10.244.0.7", UID: b.UID, GID: b.UID, Umask: 0o022,
		Started: Noon.Add(-100 * time.Hour), Seed: "seed", GNU: b.GNU, Stdout: &out, Stderr: &errs,
	}
	exit := 0
	if u.IsStream() {
		exit = b.Drive(t, u, c, stdin)
	} else {
		exit = u.Run(c, []byte(stdin))
	}
	return Outcome{out.String(), errs.String(), exit}
}

// Drive calls a Stream to its end, and returns its exit code.
func (b *Box) Drive(t testing.TB, u utility.Utility, c *utility.Call, stdin string) int {
	t.Helper()
	s := u.Stream()
	next, exit := s.Chunk(c, nil, false)
	for range 1_000_000 {
		state, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		s = u.Stream()
		if err := json.Unmarshal(state, s); err != nil {
			t.Fatal(err)
		}
		switch next {
		case utility.Done:
			return exit
		case utility.Again:
			next, exit = s.Chunk(c, nil, false)
		case utility.Input:
			piece := stdin[:min(len(stdin), 7)]
			stdin = stdin[len(piece):]
			next, exit = s.Chunk(c, []byte(piece), piece == "")
		case utility.Exec:
			if child, ok := catalogue.Lookup(c.Child[0]); ok && !child.IsStream() {
				d := *c
				d.Args = c.Child
				c.Status = child.Run(&d, nil)
			} else {
				c.Status = 127
			}
			next, exit = s.Chunk(c, nil, false)
		}
	}
	t.Fatal("it does not end")
	return 0
}
