package sed_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

// An endless sed script continues piece by piece, each of a bounded amount of work.
func TestEndlessSed(t *testing.T) {
	t.Parallel()
	for _, script := range []string{":a;ba", ":a;s/$/x/;ta", ":a;s/x/xx/;ta", ":a;y/x/y/;y/y/x/;ba", ":a;G;x;s/.*//;x;s/\\n//;ba", "s/x/x/;:a;//!d;ba"} {
		w := utilitytest.New(t, nil).Measured(t, []string{"sed", script}, "x\n", 5, false)
		if w.Ended || w.Errs != "" {
			t.Errorf("%s: it ended with %d and %q", script, w.Exit, w.Errs)
		}
		if w.Most > utility.DefaultMaxSteps/4 {
			t.Errorf("%s: a piece took %d steps", script, w.Most)
		}
	}
}

func FuzzSed(f *testing.F) {
	for _, script := range []string{"s/a/b/", ":a;s/^/x/;ta", ":a;N;$!ba;s/\\n/,/", "1~2{h;d};G", "/a/,+2c\\\ntext", "y/ab/ba/;2q", "$!N;P;D", "s/\\(.*\\)\\n/\\1\\U&/2gp", "0,/x/{=;l}", "b", "r a"} {
		f.Add(script, "one\ntwo\n\nthree", true)
	}
	f.Fuzz(func(t *testing.T, script, stdin string, extended bool) {
		if len(script) > 4096 || len(stdin) > 4096 {
			return
		}
		args := []string{"sed", script}
		if extended {
			args = []string{"sed", "-E", "-e", script}
		}
		utilitytest.Try(t, args, stdin)
	})
}

// Commands and their output.
func TestScripts(t *testing.T) {
	t.Parallel()
	utilitytest.Scripts(t, "testdata")
}
