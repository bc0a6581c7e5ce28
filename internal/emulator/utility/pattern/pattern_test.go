package pattern_test

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
)

func unbilled(int64) {}

func call() *utility.Call { return &utility.Call{MaxSteps: utility.DefaultMaxSteps} }

// POSIX's two kinds of regular expressions give the same characters different meanings.
func TestCompile(t *testing.T) {
	t.Parallel()
	var (
		basic    pattern.Options
		extended = pattern.Options{Extended: true}
	)
	for _, test := range []struct {
		options     pattern.Options
		pattern     string
		match, miss string // texts separated by spaces
	}{
		{basic, `a+b`, `a+b`, `aab ab`},
		{extended, `^a+b$`, `ab aab`, `a+b b`},
		{basic, `^a\{2,3\}$`, `aa aaa`, `a aaaa`},
		{extended, `^a{2}$`, `aa`, `a aaa a{2}`},
		{extended, `^a{,2}b$`, `b ab aab`, `aaab`},
		{basic, `^a{2}$`, `a{2}`, `aa`},
		{basic, `^\(ab\)*$`, `ab abab`, `aba (ab)`},
		{extended, `^(ab|cd)$`, `ab cd`, `abcd ab|cd`},
		{basic, `^a\|b$`, `ax xb`, `xay c`},
		{basic, `*a`, `*a`, `a aa`},
		{extended, `a**`, `a b`, ``},
		{basic, `a^b$c`, `a^b$c`, `abc`},
		{basic, `^[]a]$`, `] a`, `b [`},
		{basic, `^[^]a]$`, `b [`, `] a`},
		{basic, `^[a-c-]$`, `a b c -`, `d`},
		{basic, `^[[:upper:][:digit:]]$`, `A 7`, `a _`},
		{basic, `^[[.-.]x]$`, `- x`, `.`},
		{extended, `\<cat\>`, `cat a-cat`, `cats concat`},
		{extended, `^\w+$`, `a_1`, `a-1`},
		{extended, `a)`, `a)`, `a`},
		{pattern.Options{Fixed: true}, `a.b*`, `a.b*`, `axb abb`},
		{pattern.Options{Fold: true}, `abc`, `ABC aBc`, `ab`},
		{pattern.Options{Extended: true, Word: true}, `a|bc`, `a bc-d`, `ab xbc`},
		{pattern.Options{Extended: true, Line: true}, `a|bc`, `a bc`, `abc bcd`},
	} {
		re, err := pattern.Compile(call(), test.pattern, test.options)
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		for _, text := range strings.Fields(test.match) {
			if !re.Matches(unbilled, text) {
				t.Errorf("%s does not match %s", test.pattern, text)
			}
		}
		for _, text := range strings.Fields(test.miss) {
			if re.Matches(unbilled, text) {
				t.Errorf("%s matches %s", test.pattern, text)
			}
		}
	}
}

// The messages are those of GNU's regcomp, where it has one.
func TestCompile_Errors(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`[a`:                       `Unmatched [, [^, [:, [., or [=`,
		`\(a`:                      `Unmatched ( or \(`,
		`a\)`:                      `Unmatched ) or \)`,
		`a\{3,2\}`:                 `Invalid content of \{\}`,
		`a\{1001\}`:                `Invalid content of \{\}`,
		`a\`:                       `Trailing backslash`,
		`[[:vowel:]]`:              `Invalid character class name`,
		`\(a\)\1`:                  `back-references are not supported`,
		strings.Repeat("a", 8<<10): ``,
	} {
		_, err := pattern.Compile(call(), in, pattern.Options{})
		if got := errorText(err); got != want {
			t.Errorf("%.20s: %q instead of %q", in, got, want)
		}
	}
	if _, err := pattern.Compile(call(), strings.Repeat("a", 8<<10+1), pattern.Options{}); err == nil {
		t.Error("a pattern of more than 8 KiB is accepted")
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern     string
		match, miss string
	}{
		{`*.go`, `a.go .go`, `a.god go`},
		{`a*b*c`, `abc aXbYc abcbc`, `ab acb`},
		{`?`, `a`, `ab`},
		{`[a-c]x`, `ax cx`, `dx x`},
		{`[!a-c]`, `d -`, `a b`},
		{`[]x]`, `] x`, `[`},
		{`[[:digit:]]*`, `1 12a`, `a1`},
		{`\*`, `*`, `a \*`},
		{`[a`, `[a`, `a`},
		{`**`, `a abc`, ``},
	} {
		for _, name := range strings.Fields(test.match) {
			if !pattern.Glob(test.pattern, name, false) {
				t.Errorf("%s does not match %s", test.pattern, name)
			}
		}
		for _, name := range strings.Fields(test.miss) {
			if pattern.Glob(test.pattern, name, false) {
				t.Errorf("%s matches %s", test.pattern, name)
			}
		}
	}
	if !pattern.Glob("*.JPG", "a.jpg", true) || pattern.Glob("*.JPG", "a.jpg", false) {
		t.Error("case counts, or not, against the option")
	}
	if !pattern.Glob("*", "", false) || pattern.Glob("?", "", false) || pattern.Glob("", "a", false) {
		t.Error("empty names and patterns are matched wrongly")
	}
}

// No input breaks it, and a star may stand for nothing.
func FuzzGlob(f *testing.F) {
	f.Add("*a*b*[!c-", "aaaabbbc", false)
	f.Add(`[[:alpha:]-\]`, "x", true)
	f.Fuzz(func(t *testing.T, p, name string, fold bool) {
		if pattern.Glob(p, name, fold) && !pattern.Glob("*"+p, name, fold) {
			t.Errorf("%q matches %q, but not with a star before it", p, name)
		}
	})
}

// Every pattern compiles or is refused, and the bill is paid.
func FuzzCompile(f *testing.F) {
	f.Add(`\(a*\)\{2\}[^]b]$`, false)
	f.Add(`(a|b)+?{3}`, true)
	f.Fuzz(func(t *testing.T, text string, extended bool) {
		re, err := pattern.Compile(&utility.Call{MaxSteps: 1 << 40}, text, pattern.Options{Extended: extended})
		if err == nil {
			re.Matches(unbilled, "abc")
		}
	})
}
