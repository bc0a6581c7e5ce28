package visit_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rowlock/rowlock/internal/visit"
)

// typist types on the terminal of a session and sees its screen.
type typist struct {
	keys io.Writer
	size chan visit.Size
	seen *screen
	end  func()
}

// typing begins a session on a terminal of 24 rows and 80 columns, for a test in a bubble.
func (w *world) typing(t *testing.T, command ...string) typist {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	in, keys := io.Pipe()
	y := typist{keys: keys, size: make(chan visit.Size), seen: &screen{}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = w.Run(ctx, "box", visit.Start{Container: "box", Command: command, Stdin: true, TTY: true}, visit.Streams{Stdin: in, Stdout: y.seen, Resize: y.size})
		_ = in.Close()
	}()
	y.end = func() { cancel(); <-ended }
	y.size <- visit.Size{Rows: 24, Cols: 80}
	synctest.Wait()
	return y
}

// typed types, and returns what the screen then shows.
func (y typist) typed(keys string) string {
	before := len(y.seen.String())
	_, _ = io.WriteString(y.keys, keys)
	synctest.Wait()
	return strings.ReplaceAll(y.seen.String()[before:], "\r\n", "\n")
}

// TestRun_Terminal is a dialogue with a shell on a terminal, while the clock is paused.
func TestRun_Terminal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		y := w.typing(t, "sh")
		for _, step := range []struct{ types, sees string }{
			{"stty size; tty; echo $TERM\n", "stty size; tty; echo $TERM\n24 80\n/dev/pts/0\nxterm\n/ # "},
			{"test -t 0 && test -t 1 && test -t 2 && echo all; test -t 7 || echo not\n", "test -t 0 && test -t 1 && test -t 2 && echo all; test -t 7 || echo not\nall\nnot\n/ # "},
			{"tty </dev/null; echo | stty size\n", "tty </dev/null; echo | stty size\nnot a tty\nstty: standard input: Inappropriate ioctl for device\n/ # "},
			{"echo one >/dev/tty; read x </dev/tty; echo got $x\n", "echo one >/dev/tty; read x </dev/tty; echo got $x\none\n"},
			{"two\n", "two\ngot two\n/ # "},
			{"read -s -p secret: x; echo $x\n", "read -s -p secret: x; echo $x\nsecret:"},
			{"word\n", "word\n/ # "},
			{"stty -echo\n", "stty -echo\n/ # "},
			{"stty; stty echo\n", "speed 38400 baud; line = 0;\n-echo\n/ # "},
			{"was=$(stty -g); stty -icanon; head -c 1; stty $was\n", "was=$(stty -g); stty -icanon; head -c 1; stty $was\n"},
			{"k", "kk/ # "},
			{"stty cols 90; stty -a | head -n 1\n", "stty cols 90; stty -a | head -n 1\nspeed 38400 baud; rows 24; columns 90; line = 0;\n/ # "},
			{"sleep 1000\n", "sleep 1000\n"},
			{"\x03", "^C\n/ # "},
			{"trap 'stty size' WINCH\n", "trap 'stty size' WINCH\n/ # "},
		} {
			if got := y.typed(step.types); got != step.sees {
				t.Errorf("%q shows %q, want %q", step.types, got, step.sees)
			}
		}
		before := len(y.seen.String())
		y.size <- visit.Size{Rows: 30, Cols: 100}
		synctest.Wait()
		if got := y.seen.String()[before:]; !strings.Contains(got, "30 100") {
			t.Errorf("after a change of the size the screen shows %q", got)
		}
		y.end()
	})
}

// TestRun_HangsUp: the processes of a terminal whose client goes get SIGHUP, handle it, and find
// the terminal closed.
func TestRun_HangsUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		y := w.typing(t, "sh", "-c", "trap 'echo hung up >/tmp/told; echo to nobody || echo broken >>/tmp/told; exit' HUP; while :; do sleep 1000; done")
		y.end()
		var told screen
		if err := w.Run(t.Context(), "box", sh("cat /tmp/told; ps | grep -c 'sleep [1]000'"), visit.Streams{Stdout: &told}); err == nil || told.String() != "hung up\nbroken\n0\n" {
			t.Errorf("%v, %q", err, told.String())
		}
	})
}
