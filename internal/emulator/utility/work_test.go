package utility_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// work is the result of a call: its output, its steps, and the most steps of one piece.
type work struct {
	out   string
	errs  string
	exit  int
	steps int64
	most  int64
	ended bool
}

// measured calls a utility to its end, or for that many pieces; stored says that its state goes
// through JSON between them.
func (b *box) measured(t testing.TB, args []string, stdin string, pieces int, stored bool) work {
	t.Helper()
	u, ok := utility.Lookup(args[0])
	if !ok {
		t.Fatalf("there is no %s", args[0])
	}
	var out, errs bytes.Buffer
	c := &utility.Call{Args: args, Env: b.env, Cwd: b.cwd, FS: b.fs, Now: noon, Stdout: &out, Stderr: &errs, Umask: 0o022}
	w := work{}
	b.fs.TakeWork()
	note := func() {
		n := c.Steps() + b.fs.TakeWork()
		w.steps += n
		w.most = max(w.most, n)
	}
	if !u.IsStream() {
		w.exit, w.ended = u.Run(c, []byte(stdin)), true
		note()
		w.out, w.errs = out.String(), errs.String()
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
			w.exit, w.ended = exit, true
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
		if w.ended {
			break
		}
		note()
	}
	w.out, w.errs = out.String(), errs.String()
	return w
}

// An endless sed script continues piece by piece, each of a bounded amount of work.
func TestEndlessSed(t *testing.T) {
	t.Parallel()
	for _, script := range []string{":a;ba", ":a;s/$/x/;ta", ":a;s/x/xx/;ta", ":a;y/x/y/;y/y/x/;ba", ":a;G;x;s/.*//;x;s/\\n//;ba", "s/x/x/;:a;//!d;ba"} {
		w := newBox(t, nil).measured(t, []string{"sed", script}, "x\n", 5, false)
		if w.ended || w.errs != "" {
			t.Errorf("%s: it ended with %d and %q", script, w.exit, w.errs)
		}
		if w.most > utility.DefaultMaxSteps/4 {
			t.Errorf("%s: a piece took %d steps", script, w.most)
		}
	}
}

// It makes no difference where a script stops between two pieces, and whether its state is written
// and read back there.
func TestSuspended(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("the quick brown fox\n", 3000)
	for _, args := range [][]string{
		{"sed", "-n", ":a;N;$!ba;s/o/0/g;p"},
		{"sed", ":a;s/o\\([^0]*\\)/0\\1/;ta;s//x/"},
		{"sed", "-e", "1{:a;s/^t/xt/;s/$/x/;/x\\{900\\}/!ba;s/x//g}", "-e", "$!d"},
		{"awk", "{ for (i = 1; i <= NF; i++) n[$i] += length($0 substr($0, i)) } END { for (w in n) print w, n[w] }"},
		{"awk", "BEGIN { RS = \"o|u\" } { print NR, length() }"},
		{"grep", "-c", "-E", "(quick|slow).*(fox|dog){1,40}"},
	} {
		whole := newBox(t, nil).measured(t, args, lines, 1_000_000, false)
		stored := newBox(t, nil).measured(t, args, lines, 1_000_000, true)
		if !whole.ended || whole.errs != "" || whole.out == "" {
			t.Errorf("%q: %.200s%.200s", args, whole.errs, whole.out)
		}
		if whole != stored {
			t.Errorf("%q: %d steps, at most %d, %.100q; stored in between %d, at most %d, %.100q", args, whole.steps, whole.most, whole.out, stored.steps, stored.most, stored.out)
		}
	}
}
