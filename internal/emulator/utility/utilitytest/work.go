package utilitytest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
)

// Work is the result of a call: its output, its steps, and the most steps of one piece.
type Work struct {
	Out   string
	Errs  string
	Exit  int
	Steps int64
	Most  int64
	Ended bool
}

// Measured calls a utility to its end, or for that many pieces; stored says that its state goes
// through JSON between them.
func (b *Box) Measured(t testing.TB, args []string, stdin string, pieces int, stored bool) Work {
	t.Helper()
	u, ok := catalogue.Lookup(args[0])
	if !ok {
		t.Fatalf("there is no %s", args[0])
	}
	var out, errs bytes.Buffer
	c := &utility.Call{Args: args, Env: b.Env, Cwd: b.Cwd, FS: b.FS, Now: Noon, Stdout: &out, Stderr: &errs, Umask: 0o022}
	w := Work{}
	b.FS.TakeWork()
	note := func() {
		n := c.Steps() + b.FS.TakeWork()
		w.Steps += n
		w.Most = max(w.Most, n)
	}
	if !u.IsStream() {
		w.Exit, w.Ended = u.Run(c, []byte(stdin)), true
		note()
		w.Out, w.Errs = out.String(), errs.String()
		return w
	}
	s := u.Stream()
	next, exit := s.Chunk(c, nil, false)
	note()
	for range pieces {
		if stored {
			state, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			s = u.Stream()
			if err := json.Unmarshal(state, s); err != nil {
				t.Fatal(err)
			}
		}
		switch next {
		case utility.Done:
			w.Exit, w.Ended = exit, true
		case utility.Again:
			next, exit = s.Chunk(c, nil, false)
		case utility.Input:
			piece := stdin[:min(len(stdin), 64<<10)]
			stdin = stdin[len(piece):]
			next, exit = s.Chunk(c, []byte(piece), piece == "")
		case utility.Exec:
			c.Status = 0
			next, exit = s.Chunk(c, nil, false)
		}
		if w.Ended {
			break
		}
		note()
	}
	w.Out, w.Errs = out.String(), errs.String()
	return w
}
