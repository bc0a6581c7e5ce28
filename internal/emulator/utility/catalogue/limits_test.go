package catalogue_test

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

// The tools that split a file can process a megabyte.
func TestMegabyte(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ input, args string }{
		{"random", "xxd"}, {"random", "xxd -p"}, {"random", "od"}, {"random", "od -t x1"}, {"random", "od -c"}, {"random", "hexdump"}, {"random", "hexdump -C"},
		{"words", "sort"}, {"empty", "sort"}, {"line", "sed s/.*/x/"}, {"line", "sed s/a/b/"}, {"empty", "paste -s"}, {"numbers", "sort -n"}, {"words", "sort -u"},
	} {
		w := utilitytest.New(t, nil).Measured(t, strings.Fields(row.args), large[row.input], 1_000_000, false)
		t.Logf("%-14s %-8s most %d exit %d out %d %s", row.args, row.input, w.Most, w.Exit, len(w.Out), w.Errs)
		if !w.Ended || w.Exit != 0 || w.Errs != "" {
			t.Errorf("%s of %s ended with %d and %.200q", row.args, row.input, w.Exit, w.Errs)
		}
	}
}
