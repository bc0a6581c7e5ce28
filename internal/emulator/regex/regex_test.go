package regex_test

import (
	"errors"
	"reflect"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/regex"
)

const flags = syntax.Perl

func free(int64) {}

// same compares the matches in a text with those of the standard library.
func same(t *testing.T, expr, text string) {
	t.Helper()
	want, err := regexp.Compile(expr)
	if err != nil {
		return
	}
	want.Longest()
	re, err := regex.Compile(expr, flags)
	if errors.Is(err, regex.ErrTooBig) {
		return
	}
	if err != nil {
		t.Fatalf("%q: %v", expr, err)
	}
	if got := re.Matches(free, text); got != want.MatchString(text) {
		t.Errorf("%q matches %q: %v", expr, text, got)
	}
	var all [][]int
	re.Each(free, text, 100, func(found []int) bool {
		all = append(all, found)
		return true
	})
	if w := want.FindAllStringSubmatchIndex(text, -1); !reflect.DeepEqual(all, w) && want.NumSubexp() <= 100 {
		t.Errorf("%q in %q: %v, want %v", expr, text, all, w)
	}
	var whole, none [][]int
	re.Each(free, text, 0, func(found []int) bool {
		whole = append(whole, found)
		return true
	})
	none = append(none, want.FindAllStringIndex(text, -1)...)
	if !reflect.DeepEqual(whole, none) {
		t.Errorf("%q in %q without groups: %v, want %v", expr, text, whole, none)
	}
}

var cases = []struct{ expr, text string }{
	{"a", "banana"}, {"", "ab"}, {"a*", "baaac"}, {"(a|ab)(c|bcd)(d*)", "abcd"}, {"(a*)(b|abc)(c*)", "abc"}, {"(a*)*", "aab"}, {"(a|b)*?c", "abac"},
	{"^a", "aa\naa"}, {"(?m)^a", "aa\naa"}, {"a$", "aa\n"}, {"(?m)a$", "a\na"}, {`\ba\b`, "a ba a"}, {`\Ba`, "aab a"}, {"(?i)straße|É", "STRASSE é"},
	{".", "\xff\u00e9\n"}, {"(?s).", "\xffé\n"}, {"[^a]+", "aéa\xff"}, {"(?:^|x)(y)(?:$|x)", "yxyxy"}, {"foo(b(a)r)?", "foobarfoo"}, {"(x+x+)+y", "xxxxxxxxxxxxxxx"},
	{"(a{2,3}){2}", "aaaaaaa"}, {"a{0}", "a"}, {"x|", "yx"}, {"(|a)+", "aaa"}, {"(a?)*?b", "aab"}, {`\z`, "a"}, {`[[:alpha:]]+é?`, "naïveé"},
}

func TestSameAsStandard(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		same(t, c.expr, c.text)
	}
}

func FuzzSameAsStandard(f *testing.F) {
	for _, c := range cases {
		f.Add(c.expr, c.text)
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		if len(expr) < 100 && len(text) < 200 {
			same(t, expr, text)
		}
	})
}

func TestTooBig(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{
		strings.Repeat(".{0,1000}", 40), "(a|b){1000}(a|c){1000}(a|d){1000}z(a|b){1000}", strings.Repeat("a", regex.MaxProgram+1),
		"(?i)" + strings.Repeat("[\u0101-\U0001e943]", 100),
	} {
		if _, err := regex.Compile(expr, flags); !errors.Is(err, regex.ErrTooBig) {
			t.Errorf("%.30q: %v", expr, err)
		}
	}
}

// The bill grows with the instructions visited: with the text and with the threads.
func TestBill(t *testing.T) {
	t.Parallel()
	billed := func(expr, text string) (n int64) {
		re, err := regex.Compile(expr, flags)
		if err != nil {
			t.Fatal(err)
		}
		re.Find(func(units int64) { n += units }, text, 0, 9)
		return n
	}
	text := strings.Repeat("a", 10_000)
	few, many := billed("(a|b){10}z", text), billed("(a|b){500}z", text)
	if few < 10_000 || many < 30*few {
		t.Errorf("%d units with ten repetitions and %d with 500", few, many)
	}
	if once, twice := billed("(a|b){50}z", text), billed("(a|b){50}z", text+text); twice < once*19/10 {
		t.Errorf("%d units for a text and %d for twice as much", once, twice)
	}
	if n := billed("needle", strings.Repeat("a", 1<<20)); n < 1<<20/100 || n > 1<<20/10 {
		t.Errorf("%d units for a search in a megabyte", n)
	}
}

// A match that its bill stopped can be started again.
func TestStopped(t *testing.T) {
	t.Parallel()
	re, err := regex.Compile("(a|b)*c", flags)
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("it was not stopped")
			}
		}()
		re.Find(func(int64) { panic("enough") }, strings.Repeat("a", 100_000), 0, 1)
	}()
	if found := re.Find(free, "xxabc", 0, 1); !reflect.DeepEqual(found, []int{2, 5, 3, 4}) {
		t.Error(found)
	}
}

func BenchmarkThreads(b *testing.B) {
	for name, expr := range map[string]string{"one": "[b-y]z", "ten": "(a|b){10}z", "thousand": "(a|b){1000}z"} {
		b.Run(name, func(b *testing.B) {
			re, err := regex.Compile(expr, flags)
			if err != nil {
				b.Fatal(err)
			}
			text, units := strings.Repeat("a", 5_000), int64(0)
			for b.Loop() {
				re.Find(func(n int64) { units += n }, text, 0, 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(units), "ns/unit")
		})
	}
}

// Patterns that match the rest of the text need no search.
func TestEverything(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{".*", "(?s).*", "(?s:.*)", ".*?", "(.*)", ".+"} {
		for _, text := range []string{"", "a", "\n", "ab\n\nc", "é\xff\n\n"} {
			same(t, expr, text)
		}
	}
}
