package shell_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "write what the scripts do into testdata/scripts")

// Each file of testdata/scripts has scripts and their results in the shell that it is named after.
// They were compared with the real shells; a script says where its message differs from theirs.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"ash", "dash", "bash"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			file := "testdata/scripts/" + dialect + ".txt"
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, story := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n====\n") {
				script, want, _ := strings.Cut(story, "\n----\n")
				got := transcript(dialect, script)
				all = append(all, script+"\n----\n"+got)
				if got != want && !*rewrite {
					t.Errorf("%s\n----\n%s\n---- wanted\n%s", script, got, want)
				}
			}
			if *rewrite {
				if err := os.WriteFile(file, []byte(strings.Join(all, "\n====\n")+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// transcript returns the result of a script in lines: its output, its errors with a mark, and its
// end unless that is 0 at once.
func transcript(dialect, text string) string {
	r := script(dialect, text)
	out := strings.TrimSuffix(r.out, "\n")
	if r.err != "" {
		out += "\n! " + strings.ReplaceAll(strings.TrimSuffix(r.err, "\n"), "\n", "\n! ")
	}
	if took := r.took.Truncate(100 * time.Millisecond); r.code != 0 || took > 0 {
		out += fmt.Sprintf("\nexit %d after %s", r.code, took)
	}
	return strings.TrimPrefix(out, "\n")
}
