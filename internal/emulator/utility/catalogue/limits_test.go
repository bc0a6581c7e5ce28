package catalogue_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

// large are files of up to a megabyte, each of a kind that is hard for some utility.
var large = func() map[string]string {
	r := rand.New(rand.NewPCG(3, 4))
	var words, numbers strings.Builder
	for words.Len() < 1<<20-64 {
		fmt.Fprintf(&words, "%s:%d word%d  %x\n", []string{"a", "b", "ab"}[r.IntN(3)], r.IntN(1000), r.IntN(50), r.Uint64())
	}
	for numbers.Len() < 1<<20-64 {
		fmt.Fprintf(&numbers, "%d\n", r.IntN(1_000_000)-500_000)
	}
	random := make([]byte, 1<<20-1)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	return map[string]string{
		"line": strings.Repeat("a", 1<<20-1), "zero": strings.Repeat("\x00", 1<<20-1), "short": strings.Repeat("a\n", 1<<19-1), "empty": strings.Repeat("\n", 1<<20-1),
		"words": words.String(), "numbers": numbers.String(), "random": string(random), "digits": strings.Repeat("7", 1<<20-1), "blanks": strings.Repeat("a ", 1<<19-1),
		"runes": strings.Repeat("é", 1<<19-1), "tabs": strings.Repeat("\t", 1<<20-1),
	}
}()

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
