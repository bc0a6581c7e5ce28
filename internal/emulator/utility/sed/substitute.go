package sed

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
)

// substitution parses the rest of an s command.
func (p *parser) substitution(cmd *command) {
	if p.at >= len(p.in) {
		p.wrong("unterminated 's' command")
	}
	delimiter := p.in[p.at]
	text := p.delimited(true)
	replacement, ok := p.upTo(delimiter, false)
	if !ok {
		p.wrong("unterminated 's' command")
	}
	s := &substitution{parts: replacementParts(replacement), nth: 1}
	o := pattern.Options{Extended: p.extended, Escapes: true}
flags:
	for {
		switch b := p.peek(); {
		case b == 'g':
			s.global = true
		case b == 'p':
			s.print = true
		case b == 'i' || b == 'I':
			o.Fold = true
		case b == 'm' || b == 'M':
			o.Multi = true
		case b >= '1' && b <= '9':
			s.nth = int(min(1<<20, p.number()))
			continue
		default:
			break flags
		}
		p.at++
	}
	if b := p.peek(); b == 'w' || b == 'e' {
		p.wrong("unsupported option to 's': '%c'", b)
	}
	p.ending()
	s.re = p.regex(text, o)
	for _, part := range s.parts {
		if s.re != nil && part.group > s.re.Groups() {
			p.wrong("invalid reference \\%d on s command's RHS", part.group)
		}
	}
	cmd.sub = s
}

// replacementParts parses the replacement of an s command.
func replacementParts(text string) (parts []part) {
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			parts = append(parts, part{text: plain.String(), group: -1})
			plain.Reset()
		}
	}
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b == '&' {
			flush()
			parts = append(parts, part{group: 0})
			continue
		}
		if b != '\\' || i+1 == len(text) {
			plain.WriteByte(b)
			continue
		}
		i++
		switch b = text[i]; {
		case b >= '0' && b <= '9':
			flush()
			parts = append(parts, part{group: int(b - '0')})
		case strings.IndexByte("LUluE", b) >= 0:
			flush()
			parts = append(parts, part{group: -1, turn: b})
		case strings.IndexByte("ntrfva", b) >= 0:
			plain.WriteByte("\n\t\r\f\v\a"[strings.IndexByte("ntrfva", b)])
		default:
			plain.WriteByte(b)
		}
	}
	flush()
	return parts
}

// letters writes text and applies \L, \U, \l and \u.
type letters struct {
	out      []byte
	all, one byte
}

func (l *letters) write(c *utility.Call, text []byte) {
	if l.all == 0 && l.one == 0 || len(text) == 0 {
		c.Pass(len(text))
		l.out = append(l.out, text...)
		return
	}
	c.Scan(2 * len(text))
	s := string(text)
	switch l.all {
	case 'L':
		s = strings.ToLower(s)
	case 'U':
		s = strings.ToUpper(s)
	}
	if l.one != 0 {
		runes := []rune(s)
		if l.one == 'u' {
			runes[0] = unicode.ToUpper(runes[0])
		} else {
			runes[0] = unicode.ToLower(runes[0])
		}
		s, l.one = string(runes), 0
	}
	l.out = append(l.out, s...)
}

func (l *letters) turn(t byte) {
	switch t {
	case 'l', 'u':
		l.one = t
	case 'E':
		l.all, l.one = 0, 0
	default:
		l.all, l.one = t, 0
	}
}

// groups returns how many groups the replacement needs.
func (s *substitution) groups() (n int) {
	for _, part := range s.parts {
		n = max(n, part.group)
	}
	return n
}

// apply replaces the matches in a text.
func (s *substitution) apply(c *utility.Call, re *expression, text []byte) (result []byte, changed bool) {
	var out letters
	done, count := 0, 0
	c.Pass(2 * len(text))
	re.Each(c.Step, string(text), s.groups(), func(found []int) bool {
		if count++; count < s.nth {
			return true
		}
		out.out = append(out.out, text[done:found[0]]...)
		for _, part := range s.parts {
			c.Step(1)
			switch {
			case part.turn != 0:
				out.turn(part.turn)
			case part.group < 0:
				out.write(c, []byte(part.text))
			case 2*part.group+1 < len(found) && found[2*part.group] >= 0:
				out.write(c, text[found[2*part.group]:found[2*part.group+1]])
			}
		}
		out.all, out.one = 0, 0
		done, changed = found[1], true
		c.Step(4)
		c.Need(int64(len(out.out)))
		return s.global
	})
	if !changed {
		return text, false
	}
	c.Pass(len(out.out) + len(text))
	return append(out.out, bytes.Clone(text[done:])...), true
}
