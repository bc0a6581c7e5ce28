package utilitytest

import (
	"bytes"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// patience is how long any call may take: far longer than it does, so that only a call without a
// bound exceeds it.
const patience = 2 * time.Minute

// Try calls a utility as the kernel does, with bounds that a hostile script soon reaches.
func Try(t *testing.T, args []string, stdin string) {
	t.Helper()
	u, ok := catalogue.Lookup(args[0])
	if !ok {
		return
	}
	b := New(t, map[string]string{"a": "one\ntwo\n", "d/b": "x:y\n", "s": "s/a/b/;N;P;D\n"})
	var out, errs bytes.Buffer
	c := &utility.Call{
		Args: args, Env: b.Env, Cwd: b.Cwd, FS: b.FS, Now: Noon, Hostname: "h", Started: Noon, Seed: "s", Umask: 0o022,
		Stdout: &out, Stderr: &errs, MaxOutput: 1 << 16, MaxSteps: 1 << 14, MaxMemory: 1 << 20,
	}
	began := time.Now()
	if u.IsStream() {
		s := u.Stream()
		next, _ := s.Chunk(c, nil, false)
		for range 200 {
			switch next {
			case utility.Again:
				next, _ = s.Chunk(c, nil, false)
			case utility.Input:
				piece := stdin[:min(len(stdin), 5)]
				stdin = stdin[len(piece):]
				next, _ = s.Chunk(c, []byte(piece), piece == "")
			case utility.Exec:
				c.Status = 0
				next, _ = s.Chunk(c, nil, false)
			}
		}
	} else {
		u.Run(c, []byte(stdin))
	}
	if took := time.Since(began); took > patience {
		t.Fatalf("%q took %s", args, took)
	}
	for _, tree := range b.FS.Trees() {
		if tree.Bytes() > vfs.DefaultMaxBytes || tree.Files() > vfs.DefaultMaxFiles {
			t.Fatalf("%q filled a tree with %d bytes and %d files", args, tree.Bytes(), tree.Files())
		}
	}
}
