package ledger_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ledgerFile says what the story may cost.
const ledgerFile = "testdata/ledger.txt"

// TestLedger compares the cost of the story with what the ledger allows. It does not run in
// parallel, because it counts the allocations of the process.
func TestLedger(t *testing.T) { //nolint:paralleltest // see above
	text, err := os.ReadFile(ledgerFile)
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", ledgerFile, err)
	}
	s := newStory(t)
	s.play()
	if broken := judge(allowed, s.counts); len(broken) > 0 {
		t.Errorf("%-62s %14s %14s\n%s\nIf that is meant, change these rows of test/ledger/%s by hand, each with its reason.",
			"the story costs", "allowed", "now", strings.Join(broken, "\n"), ledgerFile)
	}
}

// row is the bound of one count: up to most, and not below least, so that savings are not lost
// again unnoticed.
type row struct {
	name        string
	least, most float64
}

// tight is the part of its bound that a count must reach.
const tight = 0.8

// rowLayout matches a row of the ledger: a name, a bound or a range, and the reason, separated by
// two or more spaces.
var rowLayout = regexp.MustCompile(`^(\S.*?)  +(?:([0-9.]+)\.\.)?([0-9]+(?:\.[0-9]+)?)  +(\S.*)$`)

// parse parses a ledger. Lines that begin with # are comments.
func parse(text string) ([]row, error) {
	var rows []row
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := rowLayout.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("this is not a name, a number or a range, and a reason: %q", line)
		}
		r := row{name: m[1]}
		var err error
		if r.most, err = strconv.ParseFloat(m[3], 64); err != nil {
			return nil, err
		}
		r.least = r.most * tight
		if m[2] != "" {
			if r.least, err = strconv.ParseFloat(m[2], 64); err != nil {
				return nil, err
			}
		}
		if slices.ContainsFunc(rows, func(other row) bool { return other.name == r.name }) {
			return nil, fmt.Errorf("%q stands there twice", r.name)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// judge lists the counts that differ from the ledger.
func judge(allowed []row, counts map[string]float64) (broken []string) {
	unknown := maps.Clone(counts)
	for _, r := range allowed {
		n := counts[r.name]
		delete(unknown, r.name)
		if verdict := r.verdict(n); verdict != "" {
			broken = append(broken, fmt.Sprintf("%-62s %14.6g %14.6g  %s", r.name, r.most, n, verdict))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		if unknown[name] > 0 {
			broken = append(broken, fmt.Sprintf("%-62s %14s %14.6g  is not in the ledger", name, "-", unknown[name]))
		}
	}
	return broken
}

// verdict returns what is wrong with a count; empty for nothing.
func (r row) verdict(n float64) string {
	switch {
	case n > r.most:
		return "costs more"
	case n < r.least:
		return "costs less: lower what is allowed"
	}
	return ""
}

func TestJudge(t *testing.T) {
	t.Parallel()
	allowed, err := parse("# a comment\n\ncreated: rows  100  one each\ncreated: turns  2..8  depends\ncreated: kB each  1.5  measured\n")
	if err != nil {
		t.Fatal(err)
	}
	fine := map[string]float64{"created: rows": 100, "created: turns": 2, "created: kB each": 1.4, "deleted: rows": 0}
	for name, test := range map[string]struct {
		count string
		n     float64
		want  string // of what is wrong
	}{
		"as allowed":           {"created: rows", 100, ""},
		"a little less":        {"created: rows", 80, ""},
		"one more":             {"created: rows", 101, "costs more"},
		"a fifth less":         {"created: rows", 79, "costs less: lower what is allowed"},
		"below a range":        {"created: turns", 1, "costs less: lower what is allowed"},
		"at the end of one":    {"created: turns", 8, ""},
		"above a range":        {"created: turns", 9, "costs more"},
		"a fraction":           {"created: kB each", 1.6, "costs more"},
		"what nobody knows of": {"deleted: rows", 1, "is not in the ledger"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counts := maps.Clone(fine)
			counts[test.count] = test.n
			var got string
			for _, line := range judge(allowed, counts) {
				got += line[strings.LastIndex(line, "  ")+2:]
				if !strings.HasPrefix(line, test.count+" ") {
					t.Errorf("%q is about another count than %s", line, test.count)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, text := range []string{"rows  100", "rows 100  why", "rows  many  why", "rows  1  why\nrows  2  why"} {
		if rows, err := parse(text); err == nil {
			t.Errorf("%q is not a ledger, and was read as %v", text, rows)
		}
	}
}
