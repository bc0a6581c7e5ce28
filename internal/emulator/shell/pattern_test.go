package shell

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A search gives the same result as trying each part of the text.
func TestSearch(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(from []string, most int) string {
		var b strings.Builder
		for range r.IntN(most) {
			b.WriteString(from[r.IntN(len(from))])
		}
		return b.String()
	}
	for range 20_000 {
		s := &Shell{}
		m := matcher{s}
		pattern := draw([]string{"a", "b", "*", "?", "[ab]", "[!a]", `\*`, "é", "["}, 6)
		text := draw([]string{"a", "b", "*", "é", "\xff", "["}, 8)
		if got, want := s.match(pattern, text), m.match(pattern, text); got != want {
			t.Fatalf("%q matches %q: %v", pattern, text, got)
		}
		for _, prefix := range []bool{true, false} {
			for _, longest := range []bool{true, false} {
				if got, want := s.trim(text, pattern, prefix, longest), s.trimGroup(text, pattern, prefix, longest); got != want {
					t.Fatalf("%q without %q (prefix %v, longest %v): %q, want %q", text, pattern, prefix, longest, got, want)
				}
			}
		}
		for _, anchor := range []byte{0, '#', '%'} {
			if !hasMeta(pattern) && (pattern == "" || anchor == 0) {
				continue
			}
			start, end := s.finder(pattern, anchor)(text, 0)
			wantStart, wantEnd := s.findGroup(text, pattern, 0, anchor)
			if start != wantStart || end != wantEnd {
				t.Fatalf("%q in %q, anchor %q: %d to %d, want %d to %d", pattern, text, anchor, start, end, wantStart, wantEnd)
			}
		}
	}
}
