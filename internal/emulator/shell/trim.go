package shell

import (
	"strings"
	"unicode/utf8"
)

// trim removes the shortest or longest match of a pattern from an end of text.
func (s *Shell) trim(text, pattern string, prefix, longest bool) string {
	s.spend(len(text) / 64)
	switch {
	case !hasMeta(pattern) && !hasGroup(pattern):
		plain := unquotePattern(pattern)
		if prefix {
			return strings.TrimPrefix(text, plain)
		}
		return strings.TrimSuffix(text, plain)
	case hasGroup(pattern):
		return s.trimGroup(text, pattern, prefix, longest)
	case prefix:
		if _, end := s.glob1(pattern).find(text, globSearch{short: !longest}); end >= 0 {
			return text[end:]
		}
		return text
	}
	if start, _ := s.glob1(pattern).find(text, globSearch{last: true, anywhere: true, late: !longest}); start >= 0 {
		return text[:start]
	}
	return text
}

// trimGroup is trim with a pattern that has alternatives.
func (s *Shell) trimGroup(text, pattern string, prefix, longest bool) string {
	var cuts []int
	for i := range text {
		cuts = append(cuts, i)
	}
	cuts = append(cuts, len(text))
	if prefix == longest {
		for i, j := 0, len(cuts)-1; i < j; i, j = i+1, j-1 {
			cuts[i], cuts[j] = cuts[j], cuts[i]
		}
	}
	m := matcher{s}
	for _, i := range cuts {
		s.spend(8)
		if prefix && m.match(pattern, text[:i]) {
			return text[i:]
		}
		if !prefix && m.match(pattern, text[i:]) {
			return text[:i]
		}
	}
	return text
}

// substitute replaces matches of a pattern in text: the first, all, or only one at an end.
func (s *Shell) substitute(text, pattern, with string, all bool, anchor byte) string {
	if pattern == "" && anchor == 0 {
		return text
	}
	next := s.finder(pattern, anchor)
	var b strings.Builder
	for at := 0; ; {
		start, end := next(text, at)
		if start < 0 {
			s.spend((len(text) - at) / 64)
			b.WriteString(text[at:])
			return b.String()
		}
		s.spend(8 + (start-at+len(with))/64)
		b.WriteString(text[at:start])
		b.WriteString(with)
		if s.grow(b.Len()); !all || anchor != 0 || end == len(text) {
			b.WriteString(text[end:])
			return b.String()
		}
		at = end
	}
}

// finder returns a function that finds the next match of a pattern at or after an offset. An empty
// match counts only at an end to which the pattern is anchored, or in an empty text. The function
// returns -1 for none.
func (s *Shell) finder(pattern string, anchor byte) func(text string, at int) (start, end int) {
	switch {
	case hasGroup(pattern):
		return func(text string, at int) (int, int) { return s.findGroup(text, pattern, at, anchor) }
	case anchor == '#':
		return func(text string, _ int) (int, int) { return s.glob1(pattern).find(text, globSearch{}) }
	case anchor == '%':
		return func(text string, _ int) (int, int) {
			return s.glob1(pattern).find(text, globSearch{last: true, anywhere: true})
		}
	case hasMeta(pattern):
		g := s.glob1(pattern)
		return func(text string, at int) (int, int) {
			start, end := g.find(text[at:], globSearch{anywhere: true, filled: text != ""})
			if start < 0 {
				return -1, -1
			}
			return at + start, at + end
		}
	}
	plain := unquotePattern(pattern)
	return func(text string, at int) (int, int) {
		i := strings.Index(text[at:], plain)
		if i < 0 {
			return -1, -1
		}
		return at + i, at + i + len(plain)
	}
}

// findGroup returns the next match of a pattern with alternatives.
func (s *Shell) findGroup(text, pattern string, at int, anchor byte) (start, end int) {
	m := matcher{s}
	for start = at; start <= len(text); {
		for end = len(text); end >= start; end-- {
			s.spend(8)
			if m.match(pattern, text[start:end]) {
				break
			}
			if anchor == '%' {
				end = -1
			}
		}
		if end > start || end == start && (anchor != 0 || text == "") {
			return start, end
		}
		if anchor == '#' || start == len(text) {
			break
		}
		_, n := utf8.DecodeRuneInString(text[start:])
		start += n
	}
	return -1, -1
}
