package utility_test

import (
	"strings"
	"testing"
)

// The tools that split a file can process a megabyte.
func TestMegabyte(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ input, args string }{
		{"random", "xxd"}, {"random", "xxd -p"}, {"random", "od"}, {"random", "od -t x1"}, {"random", "od -c"}, {"random", "hexdump"}, {"random", "hexdump -C"},
		{"words", "sort"}, {"empty", "sort"}, {"line", "sed s/.*/x/"}, {"line", "sed s/a/b/"}, {"empty", "paste -s"}, {"numbers", "sort -n"}, {"words", "sort -u"},
	} {
		w := newBox(t, nil).measured(t, strings.Fields(row.args), large[row.input], 1_000_000, false)
		t.Logf("%-14s %-8s most %d exit %d out %d %s", row.args, row.input, w.most, w.exit, len(w.out), w.errs)
		if !w.ended || w.exit != 0 || w.errs != "" {
			t.Errorf("%s of %s ended with %d and %.200q", row.args, row.input, w.exit, w.errs)
		}
	}
}
