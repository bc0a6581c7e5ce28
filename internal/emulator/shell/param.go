package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
)

// found is the value of a parameter before its operator is applied.
type found struct {
	value string
	set   bool
	list  []string // for a list, such as $@ and ${a[@]}
	many  bool
	star  bool
}

// find looks a parameter up. If its index is an expression, the index's value is on the stack.
func (s *Shell) find(p *code.Param) found {
	name := p.Name
	index := ""
	if p.Index == code.ExprIndex {
		index = s.popValue()
	}
	if p.Excl && !p.Names && !(p.Index == code.AtIndex || p.Index == code.StarIndex) {
		name = s.get(name)
		if base, rest, ok := strings.Cut(name, "["); ok && validName(base) {
			v, set := s.element(base, strings.TrimSuffix(rest, "]"))
			return found{value: v, set: set}
		}
	}
	switch {
	case name == "@" || name == "*":
		return found{list: s.Args, many: true, star: name == "*", set: len(s.Args) > 0}
	case p.Index == code.AtIndex || p.Index == code.StarIndex:
		all := s.listOf(name, p.Excl)
		return found{list: all, many: true, star: p.Index == code.StarIndex, set: len(all) > 0}
	case p.Index == code.ExprIndex:
		v, set := s.element(name, index)
		return found{value: v, set: set}
	}
	v, set := s.lookup(name)
	return found{value: v, set: set}
}

// text returns the value as one string.
func (s *Shell) text(f found) string {
	if f.many {
		if f.star {
			return strings.Join(f.list, s.joiner())
		}
		return strings.Join(f.list, " ")
	}
	return f.value
}

// putFound adds the value to the word.
func (s *Shell) putFound(f found, quoted bool) {
	if f.many {
		s.addList(f.list, quoted, f.star)
		return
	}
	s.addText(f.value, quoted)
}

// mayUse applies set -u to a parameter that is not set; ok reports whether the parameter may be
// used.
func (s *Shell) mayUse(p *code.Param, f found) (kernel.Wait, bool) {
	if f.set || !s.Opts.Nounset || f.many || p.Names {
		return kernel.Wait{}, true
	}
	if s.Dialect == bash {
		status := 1
		if s.Sub == 0 {
			status = 127
		}
		return s.fatal(p.Name+": unbound variable", status), false
	}
	return s.fatal(p.Name+": parameter not set", 2), false
}

// doParam executes an OpParam.
func (s *Shell) doParam(p *code.Param, quoted bool) kernel.Wait {
	if p.Names {
		var all []string
		s.spend(8 * len(s.Vars))
		for name := range s.Vars {
			if strings.HasPrefix(name, p.Name) {
				all = append(all, name)
			}
		}
		slices.Sort(all)
		s.addList(all, quoted, true)
		return s.again()
	}
	var a, b string
	switch {
	case p.Slice:
		if p.SliceLen {
			b = s.popValue()
		}
		a = s.popValue()
	case p.Replace:
		b = s.popValue()
		a = s.popValue()
	case p.HasOp:
		a = s.popValue()
	}
	f := s.find(p)
	if p.Length {
		return s.length(p, f, quoted)
	}
	if w, ok := s.mayUse(p, f); !ok {
		return w
	}
	switch {
	case p.Slice:
		return s.slice(p, f, a, b, quoted)
	case p.Replace:
		f = f.each(func(v string) string { return s.substitute(v, a, b, p.All, p.Anchor) })
	case p.HasOp:
		change, ok := s.changes(p, a)
		if !ok {
			return s.fatal("rowlock: ${"+p.Name+"@"+a+"} is not emulated", 2)
		}
		f = f.each(change)
	}
	for _, v := range f.list {
		s.extra += len(v) / 64
	}
	s.extra += len(f.value) / 64
	s.putFound(f, quoted)
	return s.again()
}

// each applies a function to each of the value's strings.
func (f found) each(change func(string) string) found {
	if !f.many {
		f.value = change(f.value)
		return f
	}
	list := make([]string, len(f.list))
	for i, v := range f.list {
		list[i] = change(v)
	}
	f.list = list
	return f
}

func (s *Shell) length(p *code.Param, f found, quoted bool) kernel.Wait {
	s.spend(len(f.value) / 16)
	n := runes(f.value)
	if s.Dialect == dash {
		n = len(f.value)
	}
	if f.many {
		n = len(f.list)
	} else if w, ok := s.mayUse(p, f); !ok {
		return w
	}
	s.addText(strconv.Itoa(n), quoted)
	return s.again()
}

// slice executes ${x:from:count}.
func (s *Shell) slice(p *code.Param, f found, from, count string, quoted bool) kernel.Wait {
	a, err := s.arith(from)
	var b int64
	if err == nil && p.SliceLen {
		b, err = s.arith(count)
	}
	if err != nil {
		return s.fatal(err.Error(), 2)
	}
	if f.many {
		list := f.list
		if p.Name == "@" || p.Name == "*" {
			list = append([]string{string(s.Name)}, s.Args...)
			if a == 0 && !p.SliceLen {
				f.list = list
				s.putFound(f, quoted)
				return s.again()
			}
		}
		lo, hi, ok := bounds(len(list), a, b, p.SliceLen)
		if !ok {
			return s.fatal(count+": substring expression < 0", 1)
		}
		f.list = list[lo:hi]
		s.putFound(f, quoted)
		return s.again()
	}
	s.spend(len(f.value) / 2)
	chars := []rune(f.value)
	if !utf8.ValidString(f.value) || len(chars) == len(f.value) {
		lo, hi, ok := bounds(len(f.value), a, b, p.SliceLen)
		if !ok {
			return s.fatal(count+": substring expression < 0", 1)
		}
		s.addText(f.value[lo:hi], quoted)
		return s.again()
	}
	lo, hi, ok := bounds(len(chars), a, b, p.SliceLen)
	if !ok {
		return s.fatal(count+": substring expression < 0", 1)
	}
	s.addText(string(chars[lo:hi]), quoted)
	return s.again()
}

// bounds returns the start and end of a slice of n elements; a negative offset or length counts
// from the end.
func bounds(n int, from, count int64, counted bool) (lo, hi int, ok bool) {
	if from < 0 {
		from += int64(n)
		if from < 0 {
			return 0, 0, true
		}
	}
	if from > int64(n) {
		return 0, 0, true
	}
	end := int64(n)
	if counted {
		if count < 0 {
			if end += count; end < from {
				return 0, 0, false
			}
		} else if count < end-from {
			end = from + count
		}
	}
	return int(from), int(end), true
}

// changes returns the function that an operator applies to a value.
func (s *Shell) changes(p *code.Param, arg string) (func(string) string, bool) {
	first := func(change func(rune) rune, all bool) func(string) string {
		return func(v string) string {
			var b strings.Builder
			for i, r := range v {
				s.spend(4)
				_, n := utf8.DecodeRuneInString(v[i:])
				if (i == 0 || all) && (arg == "" || s.match(arg, string(r))) {
					b.WriteRune(change(r))
				} else {
					b.WriteString(v[i : i+n])
				}
			}
			return b.String()
		}
	}
	switch p.Op {
	case syntax.RemSmallPrefix:
		return func(v string) string { return s.trim(v, arg, true, false) }, true
	case syntax.RemLargePrefix:
		return func(v string) string { return s.trim(v, arg, true, true) }, true
	case syntax.RemSmallSuffix:
		return func(v string) string { return s.trim(v, arg, false, false) }, true
	case syntax.RemLargeSuffix:
		return func(v string) string { return s.trim(v, arg, false, true) }, true
	case syntax.UpperFirst:
		return first(unicode.ToUpper, false), true
	case syntax.UpperAll:
		return first(unicode.ToUpper, true), true
	case syntax.LowerFirst:
		return first(unicode.ToLower, false), true
	case syntax.LowerAll:
		return first(unicode.ToLower, true), true
	case syntax.OtherParamOps:
		kind := arg
		arg = ""
		switch kind {
		case "Q":
			return quote, true
		case "U":
			return first(unicode.ToUpper, true), true
		case "u":
			return first(unicode.ToUpper, false), true
		case "L":
			return first(unicode.ToLower, true), true
		}
	}
	return nil, false
}

// orNull reports whether an operator treats the empty string like an unset parameter.
func orNull(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.AlternateUnsetOrNull, syntax.DefaultUnsetOrNull, syntax.ErrorUnsetOrNull, syntax.AssignUnsetOrNull:
		return true
	}
	return false
}

// doTest1 executes the part before the word of ${x:-word} and the like: it ends the expansion, or
// continues with the word.
func (s *Shell) doTest1(in *code.Instr) kernel.Wait {
	p, quoted := in.Param, in.B == 1
	keep := ""
	if p.Index == code.ExprIndex && len(s.Values) > 0 {
		keep = s.Values[len(s.Values)-1]
	}
	f := s.find(p)
	there := f.set && !(orNull(p.Op) && s.text(f) == "")
	switch p.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if !there {
			if quoted && !f.many {
				s.addText("", true)
			}
			s.PC = in.A
			return s.again()
		}
	default:
		if there {
			s.putFound(f, quoted)
			s.PC = in.A
			return s.again()
		}
		if p.Index == code.ExprIndex && (p.Op == syntax.AssignUnset || p.Op == syntax.AssignUnsetOrNull) {
			s.pushValue(keep)
		}
	}
	return s.again()
}

// doTest2 executes the part after the word of ${x:=word} and ${x:?word}.
func (s *Shell) doTest2(in *code.Instr) kernel.Wait {
	p, text := in.Param, s.popValue()
	switch p.Op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if text == "" {
			text = "parameter not set"
			if orNull(p.Op) {
				text = "parameter null or not set"
			}
			if s.Dialect == dash {
				text = "parameter not set or null"
				if !orNull(p.Op) {
					text = "parameter not set"
				}
			}
			if s.Dialect == ash && !orNull(p.Op) {
				text = "parameter not set"
			}
		}
		status := 2
		if s.Dialect == bash {
			status = 127
			if s.Sub > 0 {
				status = 1
			}
		}
		return s.fatal(p.Name+": "+text, status)
	}
	if p.Index == code.ExprIndex {
		if !s.setElement(p.Name, s.popValue(), text, false) {
			return s.leave(1)
		}
	} else if !validName(p.Name) {
		return s.fatal("$"+p.Name+": cannot assign in this way", 1)
	} else if !s.set(p.Name, text) {
		return s.leave(2)
	}
	s.addText(text, in.B == 1)
	return s.again()
}

// addNumber adds a number to the word.
func (s *Shell) addNumber(n int64, quoted bool) { s.addText(fmt.Sprint(n), quoted) }
