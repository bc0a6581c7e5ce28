package childprocess_test

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rowlock/rowlock/test/childprocess"
)

func TestAwaitReady(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, out string
		want      childprocess.Ready
		err       string
	}{
		{
			name: "with a kubeconfig", out: "ready url=http://127.0.0.1:7 kubeconfig=/tmp/k\n",
			want: childprocess.Ready{URL: "http://127.0.0.1:7", Kubeconfig: "/tmp/k"},
		},
		{name: "after other lines", out: "one moment\nready url=http://127.0.0.1:7\n", want: childprocess.Ready{URL: "http://127.0.0.1:7"}},
		{name: "what follows is read and left", out: "ready url=u\nready url=v\n", want: childprocess.Ready{URL: "u"}},
		{name: "silence", err: "it ended before it was ready"},
		{name: "another line", out: "ready to begin\n", err: "it ended before it was ready"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := childprocess.AwaitReady(strings.NewReader(test.out), time.Minute)
			if test.err != "" {
				if err == nil || err.Error() != test.err {
					t.Errorf("error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil || got != test.want {
				t.Errorf("got %+v, %v, want %+v", got, err, test.want)
			}
		})
	}
}

func TestAwaitReady_Patience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		out, w := io.Pipe()
		defer w.Close() //nolint:errcheck // a pipe in memory
		if _, err := childprocess.AwaitReady(out, time.Minute); err == nil || err.Error() != "it was not ready within 1m0s" {
			t.Errorf("error %v", err)
		}
	})
}

func TestLog(t *testing.T) {
	t.Parallel()
	var l childprocess.Log
	line := strings.Repeat("x", 1<<10) + "\n"
	for range 12 << 10 {
		if _, err := io.WriteString(&l, line); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(&l, "  the end \n"); err != nil {
		t.Fatal(err)
	}
	if n := len(l.String()); n < 4<<20 || n > 9<<20 {
		t.Errorf("it keeps %d bytes", n)
	}
	if got := l.Tail(4); got != "nd \n" {
		t.Errorf("the tail is %q", got)
	}
	if got := l.Lines("end"); len(got) != 1 || got[0] != "the end" {
		t.Errorf("lines with \"end\": %q", got)
	}
	if !l.Contains("the end") || l.Contains("the beginning") {
		t.Error("it contains the end, and no beginning")
	}
}
