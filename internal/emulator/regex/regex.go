package regex

import (
	"errors"
	"regexp/syntax"
	"strings"
)

// MaxProgram is the most instructions that the program of a pattern may have.
const MaxProgram = 10_000

// ErrTooBig says that a pattern would need more than MaxProgram instructions, or too large sets.
var ErrTooBig = errors.New("regular expression too big")

// Regex is a compiled pattern. It is for one goroutine.
type Regex struct {
	program
	expr    string
	literal bool // a match is the prefix and nothing more
	never   bool // nothing matches
	whole   bool // the pattern is .*, which matches the rest of the text
	line    bool // or the rest of a line
	groups  int  // without the whole match
	vm      machine
}

// Compile compiles a pattern in the syntax of RE2 under flags. The errors are ErrTooBig and
// *syntax.Error. The length of the pattern and MaxProgram bound the cost, which Cost returns.
func Compile(expr string, flags syntax.Flags) (*Regex, error) {
	if flags&syntax.FoldCase != 0 || strings.HasPrefix(expr, "(?") {
		if wide(expr) {
			return nil, ErrTooBig
		}
	}
	parsed, err := syntax.Parse(expr, flags)
	if err != nil {
		return nil, err
	}
	if size(parsed, MaxProgram) > MaxProgram {
		return nil, ErrTooBig
	}
	groups := parsed.MaxCap()
	simple := parsed.Simplify()
	prog, err := syntax.Compile(simple)
	if err != nil {
		return nil, err
	}
	if len(prog.Inst) > 2*MaxProgram {
		return nil, ErrTooBig
	}
	re := &Regex{program: program{prog: prog}, expr: expr, groups: groups}
	if simple.Op == syntax.OpStar && simple.Flags&syntax.NonGreedy == 0 {
		re.whole, re.line = simple.Sub[0].Op == syntax.OpAnyChar, simple.Sub[0].Op == syntax.OpAnyCharNotNL
	}
	start := prog.StartCond()
	re.never = start == ^syntax.EmptyOp(0)
	re.anchored = start&syntax.EmptyBeginText != 0
	if !re.anchored {
		re.prefix, re.literal = prog.Prefix()
		re.literal = re.literal && groups == 0
	}
	re.vm.program = &re.program
	return re, nil
}

// maxWide is how many characters the sets of a pattern may have in total if case is folded: the
// parser visits each character of such a set.
const maxWide = 1 << 20

// wide reports whether ranges in sets hold in total more than maxWide characters beyond ASCII.
func wide(expr string) bool {
	chars := []rune(expr)
	total := rune(0)
	for i := 1; i+1 < len(chars); i++ {
		if chars[i] == '-' && chars[i+1] > 0x7f && chars[i+1] > chars[i-1] {
			if total += chars[i+1] - chars[i-1]; total > maxWide {
				return true
			}
		}
	}
	return false
}

// size returns roughly how many instructions an expression takes; it stops counting beyond most.
func size(re *syntax.Regexp, most int) int {
	n := 1
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpCapture:
		n = 2
	}
	for _, sub := range re.Sub {
		if n += size(sub, most); n > most {
			return n
		}
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return n
}

// Cost returns what compiling it cost, in units of Bill.
func (re *Regex) Cost() int64 { return int64(len(re.expr) + 4*len(re.prog.Inst)) }

// Size returns the number of instructions of its program.
func (re *Regex) Size() int { return len(re.prog.Inst) }

// Groups returns the number of groups in the pattern.
func (re *Regex) Groups() int { return re.groups }

// String returns the pattern.
func (re *Regex) String() string { return re.expr }

// Matches reports whether a text has a match.
func (re *Regex) Matches(bill Bill, text string) bool { return re.find(bill, text, 0, 0) != nil }

// Find returns the first match at or after from: its start and end, and those of as many groups as
// requested; -1 marks groups that took no part. The result is nil if there is no match. The caller
// owns it.
func (re *Regex) Find(bill Bill, text string, from, groups int) []int {
	return re.find(bill, text, from, 2+2*min(groups, re.groups))
}

// Each passes the matches in a text to take, in order, until take returns false. They do not
// overlap, and an empty match does not directly follow another match.
func (re *Regex) Each(bill Bill, text string, groups int, take func(found []int) bool) {
	for from, last := 0, -1; from <= len(text); {
		found := re.Find(bill, text, from, groups)
		if found == nil {
			return
		}
		if found[1] > found[0] {
			from = found[1]
		} else {
			from = found[1] + width(text[found[1]:])
		}
		if found[1] > found[0] || found[0] != last {
			if !take(found) {
				return
			}
		}
		last = found[1]
	}
}

// Literal reports whether the pattern stands for a single text, and which.
func (re *Regex) Literal() (text string, ok bool) { return re.prefix, re.literal }

func (re *Regex) find(bill Bill, text string, from, slots int) []int {
	if re.never || re.anchored && from > 0 {
		bill(1)
		return nil
	}
	if re.whole || re.line {
		end := len(text)
		if at := strings.IndexByte(text[from:], '\n'); re.line && at >= 0 {
			end = from + at
		}
		bill(1 + int64(end-from)/64)
		return []int{from, end}
	}
	if !re.literal {
		return re.vm.run(bill, text, from, slots)
	}
	at := strings.Index(text[from:], re.prefix)
	if at < 0 {
		bill(1 + int64(len(text)-from)/64)
		return nil
	}
	bill(1 + int64(at)/64)
	return []int{from + at, from + at + len(re.prefix)}
}
