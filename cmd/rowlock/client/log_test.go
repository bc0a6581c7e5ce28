package client

import (
	"testing"

	v1 "github.com/rowlock/rowlock/api/v1"
)

// TestPrintable: a server's text about changes cannot forge lines, nor control the terminal.
func TestPrintable(t *testing.T) {
	t.Parallel()
	change := v1.Change{Verb: "created", Kind: "Pod", Name: "a\x1b[2Jb", Namespace: "日本"}
	if got, want := changeText(change), `created pod/a\x1b[2Jb -n 日本`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for want, w := range map[string]v1.ChangeWriter{
		`eve\n7  deleted`:       {Controller: "eve\n7  deleted"},
		`a\u202eb with kubectl`: {User: "a\u202eb", UserAgent: "kubectl (x)"},
		`\u009b`:                {UserAgent: "\u009b"},
		`a "quoted" name`:       {User: `a "quoted" name`},
	} {
		if got := writerText(w); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
