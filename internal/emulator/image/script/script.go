package script

import (
	"strconv"
	"strings"
)

// A script is the emulated part of perl, node, ruby and php: a list of calls that print, sleep and
// end, whose arguments are strings, integers with arithmetic, the environment and the host's name.
// It has no variables, branches or loops, so its actions are known as soon as it is parsed.
// Anything else is not emulated, and no part of such a script runs.

// dialect describes the syntax of a language.
type dialect struct {
	concat     byte   // the operator that concatenates strings
	line       string // begins a comment
	expands    string // characters that a double-quoted string would expand, which is not emulated
	backquote  bool   // strings may be in back quotes
	raw        bool   // in single quotes, only a quote can be escaped
	quiet      []string
	call       func(s *script, name string, args []value) (value, error)
	uncalled   []string // calls whose arguments need no parentheses
	bareReturn bool     // a line end ends a statement
}

// script parses one script.
type script struct {
	dialect
	text string
	at   int

	getenv   func(string) string
	hostname string
	newline  bool // print ends lines, perl -l
	digits   int  // of π, computed so far
	made     int  // bytes of text, made so far

	Outcome
	ended bool
}

// run parses the whole script.
func (s *script) run() (Outcome, error) {
	if len(s.text) > MaxSize {
		return Outcome{}, ErrScript
	}
	for {
		s.space(true)
		if s.at >= len(s.text) {
			return s.Outcome, nil
		}
		if s.text[s.at] == ';' {
			s.at++
			continue
		}
		if err := s.statement(); err != nil {
			return Outcome{}, err
		}
		s.space(false)
		if s.at < len(s.text) && s.text[s.at] != ';' && !(s.bareReturn && s.text[s.at] == '\n') {
			return Outcome{}, ErrScript
		}
		if len(s.Acts) > maxActs || s.made > maxOutput {
			return Outcome{}, ErrScript
		}
	}
}

// act adds the action of a call, unless the script has ended before.
func (s *script) act(a Act) {
	s.made += len(a.Out) + len(a.Err)
	if !s.ended {
		s.Acts = append(s.Acts, a)
	}
}

func (s *script) exit(code int64) {
	if !s.ended {
		s.ended, s.Code = true, int(code&0xff)
	}
}

// space skips blanks and comments, and line ends where they do not count.
func (s *script) space(newlines bool) {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' && (newlines || !s.bareReturn):
			s.at++
		case s.line != "" && strings.HasPrefix(s.text[s.at:], s.line):
			for s.at < len(s.text) && s.text[s.at] != '\n' {
				s.at++
			}
		default:
			return
		}
	}
}

// statement parses an import, which does nothing, or a call.
func (s *script) statement() error {
	for _, word := range s.quiet {
		if rest := s.text[s.at:]; strings.HasPrefix(rest, word+" ") {
			end := strings.IndexAny(rest, ";\n")
			if end < 0 {
				end = len(rest)
			}
			if strings.ContainsAny(rest[:end], "({\"'") {
				return ErrScript
			}
			s.at += end
			return nil
		}
	}
	start := s.at
	name := s.name()
	if name == "" {
		return ErrScript
	}
	s.space(false)
	for _, word := range s.uncalled {
		if name != word || s.at < len(s.text) && s.text[s.at] == '(' && s.callEnds() {
			continue
		}
		args, err := s.list(0)
		if err != nil {
			return err
		}
		_, err = s.call(s, name, args)
		return err
	}
	s.at = start
	_, err := s.expression(0, 0)
	return err
}

// callEnds reports whether the parenthesis here closes right before the end of the statement.
func (s *script) callEnds() bool {
	probe := *s
	probe.at++
	if _, err := probe.list(1); err != nil {
		return false
	}
	probe.space(false)
	if probe.at >= len(probe.text) || probe.text[probe.at] != ')' {
		return false
	}
	probe.at++
	probe.space(false)
	return probe.at >= len(probe.text) || probe.text[probe.at] == ';' || probe.text[probe.at] == '\n'
}

// name parses a name with points and colons, such as "time.sleep".
func (s *script) name() string {
	start := s.at
	for s.at < len(s.text) {
		c := s.text[s.at]
		if !(c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || s.at > start && (c >= '0' && c <= '9' || c == '.' && s.concat != '.' || c == ':' || c == '!')) {
			break
		}
		s.at++
	}
	return s.text[start:s.at]
}

// list parses expressions with commas between them, up to a closing parenthesis or the end of the
// statement.
func (s *script) list(depth int) ([]value, error) {
	var all []value
	for {
		s.space(depth > 0)
		if s.at >= len(s.text) || strings.IndexByte(");]\n", s.text[s.at]) >= 0 {
			return all, nil
		}
		v, err := s.expression(0, depth+1)
		if err != nil {
			return nil, err
		}
		if all = append(all, v); len(all) > maxActs {
			return nil, ErrScript
		}
		s.space(depth > 0)
		if s.at >= len(s.text) || s.text[s.at] != ',' {
			return all, nil
		}
		s.at++
	}
}

// expression parses operators above a level of precedence: sums at 0, products at 1, powers at 2.
func (s *script) expression(level, depth int) (value, error) {
	if depth > maxDepth {
		return value{}, ErrScript
	}
	left, err := s.operand(depth)
	for err == nil {
		s.space(false)
		op, at := s.operator()
		if op == "" || at < level {
			return left, nil
		}
		s.at += len(op)
		s.space(true)
		next := at + 1
		if op == "**" {
			next = at // right-associative
		}
		var right value
		if right, err = s.expression(next, depth+1); err == nil {
			left, err = s.apply(op, left, right)
		}
	}
	return value{}, err
}

func (s *script) operator() (op string, level int) {
	rest := s.text[s.at:]
	switch {
	case strings.HasPrefix(rest, "**"):
		return "**", 2
	case rest == "":
	case strings.IndexByte("*%", rest[0]) >= 0:
		return rest[:1], 1
	case strings.IndexByte("+-", rest[0]) >= 0, rest[0] == s.concat:
		return rest[:1], 0
	}
	return "", 0
}

func (s *script) apply(op string, a, b value) (value, error) {
	if op[0] == s.concat && (s.concat == '.' || a.kind == 's' && b.kind == 's') && a.kind != 'f' && b.kind != 'f' {
		if s.made += len(a.text) + len(b.text); s.made > maxOutput {
			return value{}, ErrScript
		}
		return stringValue(a.String() + b.String()), nil
	}
	const small = 1 << 31 // so that no result overflows
	if a.kind != 'n' || b.kind != 'n' || a.number > small || a.number < -small || b.number > small || b.number < -small {
		return value{}, ErrScript
	}
	switch x, y := a.number, b.number; op {
	case "+":
		return numberValue(x + y), nil
	case "-":
		return numberValue(x - y), nil
	case "*":
		return numberValue(x * y), nil
	case "%":
		if x < 0 || y <= 0 { // languages differ
			return value{}, ErrScript
		}
		return numberValue(x % y), nil
	case "**":
		n := int64(1)
		for ; y > 0 && n < small && n > -small; y-- {
			n *= x
		}
		if y != 0 {
			return value{}, ErrScript
		}
		return numberValue(n), nil
	}
	return value{}, ErrScript
}

func (s *script) operand(depth int) (value, error) {
	if s.at >= len(s.text) {
		return value{}, ErrScript
	}
	switch c := s.text[s.at]; {
	case c == '"' || c == '\'' || c == '`' && s.backquote:
		return s.quoted(c)
	case c == '(':
		s.at++
		v, err := s.expression(0, depth+1)
		s.space(true)
		if err != nil || s.at >= len(s.text) || s.text[s.at] != ')' {
			return value{}, ErrScript
		}
		s.at++
		return v, nil
	case c == '-':
		s.at++
		v, err := s.expression(2, depth+1)
		if err != nil || v.kind != 'n' {
			return value{}, ErrScript
		}
		return numberValue(-v.number), nil
	case c >= '0' && c <= '9':
		return s.literal()
	}
	name := s.name()
	s.space(false)
	closing := byte(')')
	if s.at < len(s.text) && s.text[s.at] == '[' {
		closing, name = ']', name+"[]"
	}
	if name == "" || s.at >= len(s.text) || s.text[s.at] != '(' && closing == ')' {
		return value{}, ErrScript
	}
	s.at++
	args, err := s.list(depth + 1)
	s.space(true)
	if err != nil || s.at >= len(s.text) || s.text[s.at] != closing {
		return value{}, ErrScript
	}
	s.at++
	return s.call(s, name, args)
}

func (s *script) literal() (value, error) {
	start := s.at
	for s.at < len(s.text) && (s.text[s.at] >= '0' && s.text[s.at] <= '9' || s.text[s.at] == '.') {
		s.at++
	}
	text := s.text[start:s.at]
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && (text == "0" || text[0] != '0') {
		return numberValue(n), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.Contains(text, ".") {
		return value{}, ErrScript
	}
	return value{seconds: f, kind: 'f'}, nil
}

// quoted parses a string.
func (s *script) quoted(quote byte) (value, error) {
	var b strings.Builder
	for s.at++; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == quote:
			s.at++
			return stringValue(b.String()), nil
		case c == '\\' && s.at+1 < len(s.text):
			s.at++
			e := s.text[s.at]
			switch i := strings.IndexByte("nt\\\"'0", e); {
			case e == quote || e == '\\':
				b.WriteByte(e)
			case quote == '\'' && s.raw:
				b.WriteString(`\` + string(e))
			case i < 0:
				return value{}, ErrScript
			default:
				b.WriteByte("\n\t\\\"'\x00"[i])
			}
		case quote != '\'' && s.expands != "" && strings.IndexByte(s.expands, c) >= 0:
			return value{}, ErrScript
		default:
			b.WriteByte(c)
		}
	}
	return value{}, ErrScript
}

// joined formats values as print does.
func joined(args []value, between string) (string, error) {
	all := make([]string, len(args))
	for i, v := range args {
		if v.kind == 'f' || v.kind == 0 { // languages print fractions and null differently
			return "", ErrScript
		}
		all[i] = v.String()
	}
	text := strings.Join(all, between)
	if len(text) > maxString {
		return "", ErrScript
	}
	return text, nil
}
