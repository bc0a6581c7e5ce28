package utilitytest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Row is one call and its result. Err is compared only if it is given or the exit code is 0.
type Row struct {
	Args  string // split at blanks, unless Argv is given
	Argv  []string
	Stdin string
	Files map[string]string
	GNU   bool
	UID   int
	Want  string
	Err   string
	Exit  int
	After map[string]string // files and their content afterwards; "-" for none
}

// Check calls the utility of every row in a box of its own, and compares the results.
func Check(t *testing.T, rows []Row) {
	t.Helper()
	for i, r := range rows {
		argv := r.Argv
		if argv == nil {
			argv = strings.Fields(r.Args)
		}
		t.Run(fmt.Sprintf("%d %s", i, strings.Join(argv, " ")), func(t *testing.T) {
			t.Parallel()
			b := New(t, r.Files)
			b.GNU, b.UID = r.GNU, r.UID
			got := b.Run(t, r.Stdin, argv...)
			want := Outcome{r.Want, r.Err, r.Exit}
			if r.Err == "" && r.Exit != 0 {
				want.Err = got.Err
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for name, text := range r.After {
				data, err := b.FS.ReadFile("/work/" + name)
				switch {
				case err != nil && text != "-":
					t.Errorf("%s: %v", name, err)
				case err == nil && string(data) != text:
					t.Errorf("%s has %q, want %q", name, data, text)
				}
			}
		})
	}
}
