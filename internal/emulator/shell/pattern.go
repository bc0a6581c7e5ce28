package shell

import (
	"strings"
	"unicode/utf8"
)

// hasMeta reports whether a pattern may match more than one string.
func hasMeta(p string) bool {
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		}
	}
	return false
}

func unquotePattern(p string) string {
	if strings.IndexByte(p, '\\') < 0 {
		return p
	}
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if p[i] == '\\' && i+1 < len(p) {
			i++
		}
		b.WriteByte(p[i])
	}
	return b.String()
}

func quoteRegexp(b *strings.Builder, text string) {
	for i := range len(text) {
		if strings.IndexByte(`\.+*?()|[]{}^$`, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
}

// matcher matches one string against patterns with alternatives. Nested ones can take exponential
// time, so it bills each try.
type matcher struct{ s *Shell }

// match reports whether a shell pattern matches all of text. It knows bash's alternatives such as
// @(a|b).
func (s *Shell) match(pattern, text string) bool {
	if hasGroup(pattern) {
		return (&matcher{s}).match(pattern, text)
	}
	_, end := s.glob1(pattern).find(text, globSearch{last: true})
	return end >= 0
}

func (m *matcher) match(p, s string) bool {
	starP, starS := "", ""
	star := false
	for {
		m.s.spend(4)
		if len(p) > 1 && p[1] == '(' && strings.IndexByte("@?*+!", p[0]) >= 0 {
			m.s.spend(8 + len(p)/4)
			if alternatives, rest, ok := group(p); ok {
				if m.extended(p[0], alternatives, p, rest, s) {
					return true
				}
				goto retry
			}
		}
		switch {
		case p == "":
			if s == "" {
				return true
			}
		case p[0] == '*':
			p = strings.TrimLeft(p, "*")
			if len(p) > 0 && p[0] == '(' {
				p = "*" + p // the * belonged to the bracket after it
			} else {
				star, starP, starS = true, p, s
				continue
			}
			fallthrough
		default:
			if n, rest, ok := one(p, s); ok {
				p, s = rest, s[n:]
				continue
			}
		}
	retry:
		if !star || starS == "" {
			return false
		}
		_, n := utf8.DecodeRuneInString(starS)
		starS = starS[n:]
		p, s = starP, starS
	}
}

// one matches the first element of a pattern, which is not a star, with the first character of s.
// It returns the length of the character and the rest of the pattern.
func one(p, s string) (n int, rest string, ok bool) {
	if s == "" {
		return 0, "", false
	}
	r, n := utf8.DecodeRuneInString(s)
	switch p[0] {
	case '?':
		return n, p[1:], true
	case '[':
		if in, rest, ok := class(p, r); ok {
			return n, rest, in
		}
	case '\\':
		if len(p) > 1 {
			return 1, p[2:], p[1] == s[0]
		}
	}
	return 1, p[1:], p[0] == s[0]
}

// group parses a group that begins with @( or the like; ok is false if the bracket has no end.
func group(p string) (alternatives []string, rest string, ok bool) {
	depth, from := 0, 2
	for i := 1; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '(':
			depth++
		case '|':
			if depth == 1 {
				alternatives = append(alternatives, p[from:i])
				from = i + 1
			}
		case ')':
			if depth--; depth == 0 {
				return append(alternatives, p[from:i]), p[i+1:], true
			}
		}
	}
	return nil, "", false
}

// extended matches s with alternatives and the rest of the pattern.
func (m *matcher) extended(kind byte, alternatives []string, whole, rest, s string) bool {
	if (kind == '?' || kind == '*') && m.match(rest, s) {
		return true
	}
	for n := 0; n <= len(s); n++ {
		m.s.spend(4)
		is := false
		for _, a := range alternatives {
			is = is || m.match(a, s[:n])
		}
		if is == (kind == '!') {
			continue
		}
		if m.match(rest, s[n:]) {
			return true
		}
		if (kind == '*' || kind == '+') && n > 0 && m.match("*"+whole[1:], s[n:]) {
			return true
		}
	}
	return false
}

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
