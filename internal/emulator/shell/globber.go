package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// globber matches a pattern without alternatives. It follows all positions in the pattern at once,
// so that a search takes at most the product of the lengths of text and pattern in steps. It bills
// them.
type globber struct {
	s        *Shell
	elements []globElement
}

// globElement is one character of a pattern, or a star.
type globElement struct {
	kind byte   // 'c' the character in text, '?' any, '[' one of the set in text, '*' any number
	text string // as written
}

// hasGroup reports whether a pattern may have alternatives.
func hasGroup(p string) bool {
	for i := 1; i < len(p); i++ {
		if p[i] == '(' && strings.IndexByte("@?*+!", p[i-1]) >= 0 {
			return true
		}
	}
	return false
}

// glob1 parses a pattern.
func (s *Shell) glob1(p string) *globber {
	s.spend(2 * len(p))
	g := &globber{s: s}
	for p != "" {
		switch {
		case p[0] == '*':
			if n := len(g.elements); n == 0 || g.elements[n-1].kind != '*' {
				g.elements = append(g.elements, globElement{kind: '*'})
			}
			p = p[1:]
			continue
		case p[0] == '?':
			g.elements = append(g.elements, globElement{kind: '?'})
			p = p[1:]
			continue
		case p[0] == '[':
			s.spend(len(p) / 4)
			if _, rest, ok := class(p, 'x'); ok {
				g.elements = append(g.elements, globElement{kind: '[', text: p[:len(p)-len(rest)]})
				p = rest
				continue
			}
		case p[0] == '\\' && len(p) > 1:
			p = p[1:]
		}
		_, n := utf8.DecodeRuneInString(p)
		g.elements = append(g.elements, globElement{kind: 'c', text: p[:n]})
		p = p[n:]
	}
	return g
}

// globSearch selects a match: by default, the longest one that begins at the start of the text.
type globSearch struct {
	anywhere bool // it may begin later; the earliest one wins
	late     bool // the latest one wins
	last     bool // it ends at the end of the text
	short    bool // the shortest one wins
	filled   bool // it is not empty
}

// find returns the start and end of a match, -1 for none.
func (g *globber) find(text string, o globSearch) (start, end int) {
	m := len(g.elements)
	now, next := make([]int, m+1), make([]int, m+1) // by element: the start of the match that has reached it, plus 1
	start, end = -1, -1
	reach := func(states []int, element, began int) {
		for {
			if old := states[element]; old == 0 || (began < old) != o.late && began != old {
				states[element] = began
			}
			if element == m || g.elements[element].kind != '*' {
				return
			}
			element++
		}
	}
	alive := false
	for at := 0; ; {
		if at == 0 || o.anywhere && (start < 0 || o.late) {
			reach(now, 0, at+1)
			alive = true
		}
		if began := now[m] - 1; began >= 0 && (at == len(text) || !o.last) && (at > began || !o.filled) && (start < 0 || began <= start || o.late) {
			if start, end = began, at; o.short {
				return start, end
			}
		}
		if at >= len(text) || !alive && !o.anywhere || start >= 0 && !alive {
			return start, end
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		at += n
		alive = g.read(now, next, text[at-n:at], r, func(element, began int) {
			if start < 0 || began <= start+1 || o.late {
				reach(next, element, began)
			}
		})
		now, next = next, now
		clear(next)
	}
}

// read lets every reached position of the pattern read a character.
func (g *globber) read(now, next []int, char string, r rune, reach func(element, began int)) (alive bool) {
	visited := 8
	for i, e := range g.elements {
		began := now[i]
		if began == 0 {
			continue
		}
		visited++
		switch e.kind {
		case '*':
			reach(i, began)
			alive = true
			continue
		case 'c':
			if e.text != char {
				continue
			}
		case '[':
			visited += len(e.text)
			if in, _, _ := class(e.text, r); !in {
				continue
			}
		}
		reach(i+1, began)
		alive = true
	}
	g.s.spend(visited + len(g.elements)/4)
	return alive
}

// class matches a bracket expression; ok is false if it has no end.
func class(p string, r rune) (in bool, rest string, ok bool) {
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	next := func() rune {
		if p[i] == '\\' && i+1 < len(p) {
			i++
		}
		c, n := utf8.DecodeRuneInString(p[i:])
		i += n
		return c
	}
	for first := true; ; first = false {
		if i >= len(p) {
			return false, "", false
		}
		if p[i] == ']' && !first {
			return in != negated, p[i+1:], true
		}
		if strings.HasPrefix(p[i:], "[:") {
			if name, after, found := strings.Cut(p[i+2:], ":]"); found {
				in = in || inClass(name, r)
				i = len(p) - len(after)
				continue
			}
		}
		from := next()
		to := from
		if i+1 < len(p) && p[i] == '-' && p[i+1] != ']' {
			i++
			to = next()
		}
		in = in || from <= r && r <= to
	}
}

func inClass(name string, r rune) bool {
	switch name {
	case "alpha":
		return unicode.IsLetter(r)
	case "digit":
		return r >= '0' && r <= '9'
	case "alnum":
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	case "upper":
		return unicode.IsUpper(r)
	case "lower":
		return unicode.IsLower(r)
	case "space":
		return unicode.IsSpace(r)
	case "blank":
		return r == ' ' || r == '\t'
	case "punct":
		return r < 128 && (unicode.IsPunct(r) || unicode.IsSymbol(r))
	case "print":
		return unicode.IsPrint(r)
	case "graph":
		return unicode.IsGraphic(r) && r != ' '
	case "cntrl":
		return unicode.IsControl(r)
	case "xdigit":
		return strings.ContainsRune("0123456789abcdefABCDEF", r)
	}
	return false
}
