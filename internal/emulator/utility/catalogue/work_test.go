package catalogue_test

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

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
		whole := utilitytest.New(t, nil).Measured(t, args, lines, 1_000_000, false)
		stored := utilitytest.New(t, nil).Measured(t, args, lines, 1_000_000, true)
		if !whole.Ended || whole.Errs != "" || whole.Out == "" {
			t.Errorf("%q: %.200s%.200s", args, whole.Errs, whole.Out)
		}
		if whole != stored {
			t.Errorf("%q: %d steps, at most %d, %.100q; stored in between %d, at most %d, %.100q", args, whole.Steps, whole.Most, whole.Out, stored.Steps, stored.Most, stored.Out)
		}
	}
}
