package awk

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rowlock/rowlock/internal/emulator/regex"
	"github.com/rowlock/rowlock/internal/emulator/utility/date"
)

// maxCalls bounds how deep function calls nest.
const maxCalls = 200

// callFunction calls a function of the program. Arrays are passed by reference, values by copy.
func (u *awk) callFunction(n *node) value {
	f := u.program.functions[n.text]
	if f == nil {
		u.flush()
		u.Fatal(2, "call to undefined function %s", n.text)
	}
	if len(n.kids) > len(f.params) {
		u.Fatal(2, "function %s called with more arguments than it has", n.text)
	}
	if len(u.frames) >= maxCalls {
		u.flush()
		u.Fatal(2, "functions call each other too deeply")
	}
	u.Step(16 + 8*int64(len(f.params)))
	frame := map[string]*cell{}
	for i, param := range f.params {
		cell := &cell{}
		frame[param] = cell
		if i >= len(n.kids) {
			continue
		}
		if arg := n.kids[i]; arg.op == "name" && u.holdsNoValue(arg.text) {
			cell.array = u.array(arg.text)
		} else {
			cell.value = u.eval(arg)
		}
	}
	u.frames = append(u.frames, frame)
	u.result = value{}
	done := u.run(f.body)
	u.frames = u.frames[:len(u.frames)-1]
	u.forget(f, n, frame)
	result := u.result
	u.result = value{}
	if done == exits {
		u.Exits = true
	}
	return result
}

// holdsNoValue reports whether a name is an array, or is unset and may become one.
func (u *awk) holdsNoValue(name string) bool {
	if cell := u.variable(name); cell != nil {
		return cell.value.kind == unset
	}
	_, known := u.Vars[name]
	return !known && name != "NF"
}

// pattern returns the pattern of an operand.
func (u *awk) pattern(n *node) *regex.Regex {
	if n.re != nil {
		return n.re
	}
	return u.regex(u.str(u.eval(n)))
}

func (u *awk) callBuiltin(n *node) value {
	text := func(i int) string { return u.str(u.eval(n.kids[i])) }
	num := func(i int) float64 { return u.num(u.eval(n.kids[i])) }
	switch n.text {
	case "length":
		if len(n.kids) == 0 {
			return numberValue(u.length(u.text()))
		}
		if arg := n.kids[0]; arg.op == "name" && u.holdsNoValue(arg.text) {
			return numberValue(float64(len(u.array(arg.text))))
		}
		return numberValue(u.length(text(0)))
	case "substr":
		return u.substr(n)
	case "index":
		s := text(0)
		sought := text(1)
		u.Pass(4 * len(s))
		at := strings.Index(s, sought)
		if at >= 0 {
			at = utf8.RuneCountInString(s[:at])
		}
		return numberValue(float64(at + 1))
	case "split":
		return u.splitInto(n)
	case "sub", "gsub":
		return u.substitute(n)
	case "match":
		s := text(0)
		start, length := 0, -1
		u.Pass(2 * len(s))
		if found := u.pattern(n.kids[1]).Find(u.Step, s, 0, 0); found != nil {
			start, length = utf8.RuneCountInString(s[:found[0]])+1, utf8.RuneCountInString(s[found[0]:found[1]])
		}
		u.Vars["RSTART"], u.Vars["RLENGTH"] = numberValue(float64(start)), numberValue(float64(length))
		return numberValue(float64(start))
	case "sprintf":
		var values []value
		for _, kid := range n.kids[1:] {
			values = append(values, u.eval(kid))
		}
		return textValue(sprintf(u.Call, text(0), values))
	case "tolower":
		s := text(0)
		u.Scan(2 * len(s))
		return textValue(strings.ToLower(s))
	case "toupper":
		s := text(0)
		u.Scan(2 * len(s))
		return textValue(strings.ToUpper(s))
	case "close":
		file := text(0)
		f := u.Files[file]
		if f == nil {
			return numberValue(-1)
		}
		f.Close(u.Call)
		delete(u.Files, file)
		return numberValue(0)
	case "fflush":
		u.flush()
		return numberValue(0)
	case "systime":
		return numberValue(float64(u.Now.Unix()))
	case "strftime":
		return u.strftime(n)
	case "rand":
		u.Step(16)
		u.Draws++
		sum := sha256.Sum256(fmt.Appendf(nil, "%v %d", u.Seed, u.Draws))
		return numberValue(float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53))
	case "srand":
		old := u.Seed
		if u.Seed, u.Draws = float64(u.Now.Unix()), 0; len(n.kids) > 0 {
			u.Seed = num(0)
		}
		return numberValue(old)
	}
	return u.math(n.text, num)
}

func (u *awk) math(name string, num func(int) float64) value {
	x := num(0)
	switch name {
	case "sin":
		x = math.Sin(x)
	case "cos":
		x = math.Cos(x)
	case "atan2":
		x = math.Atan2(x, num(1))
	case "exp":
		x = math.Exp(x)
	case "log":
		x = math.Log(x)
	case "sqrt":
		x = math.Sqrt(x)
	case "int":
		x = math.Trunc(x)
	}
	return numberValue(x)
}

// substr returns a part of a text, by the position of its first character, from 1; positions are
// rounded.
func (u *awk) substr(n *node) value {
	text := u.str(u.eval(n.kids[0]))
	u.Scan(len(text))
	runes := []rune(text)
	start := math.RoundToEven(u.num(u.eval(n.kids[1])))
	end := math.Inf(1)
	if len(n.kids) > 2 {
		end = start + math.RoundToEven(u.num(u.eval(n.kids[2])))
	}
	start, end = max(start, 1), min(end, float64(len(runes)+1))
	if !(start < end) {
		return textValue("")
	}
	return textValue(string(runes[int(start)-1 : int(end)-1]))
}

func (u *awk) splitInto(n *node) value {
	text := u.str(u.eval(n.kids[0]))
	separator, pattern := u.Vars["FS"].string(u.Call, ""), (*node)(nil)
	if len(n.kids) > 2 {
		if pattern = n.kids[2]; pattern.re == nil {
			separator = u.str(u.eval(pattern))
		}
	}
	if n.kids[1].op != "name" {
		u.Fatal(2, "split: the second argument is not an array")
	}
	parts := u.cut(text, separator, pattern)
	u.clearArray(u.array(n.kids[1].text))
	for i, part := range parts {
		u.Step(8)
		u.setElement(n.kids[1].text, numberValue(float64(i+1)).string(u.Call, ""), inputValue(part))
	}
	return numberValue(float64(len(parts)))
}

// substitute implements sub and gsub.
func (u *awk) substitute(n *node) value {
	re := u.pattern(n.kids[0])
	with := u.str(u.eval(n.kids[1]))
	target := &node{op: "$", kids: []*node{{op: "number"}}}
	if len(n.kids) > 2 {
		target = n.kids[2]
	}
	text := u.str(u.eval(target))
	most := 1
	if n.text == "gsub" {
		most = -1
	}
	var out strings.Builder
	at, count := 0, 0
	u.Pass(2 * len(text))
	re.Each(u.Step, text, 0, func(found []int) bool {
		u.Scan(len(with) + (found[1] - found[0]))
		out.WriteString(text[at:found[0]])
		for i := 0; i < len(with); i++ {
			switch {
			case with[i] == '\\' && i+1 < len(with) && (with[i+1] == '&' || with[i+1] == '\\'):
				i++
				out.WriteByte(with[i])
			case with[i] == '&':
				out.WriteString(text[found[0]:found[1]])
			default:
				out.WriteByte(with[i])
			}
		}
		at = found[1]
		count++
		u.Step(4)
		u.Need(int64(out.Len()))
		return count != most
	})
	u.Pass(out.Len())
	if count > 0 {
		out.WriteString(text[at:])
		u.store(target, textValue(out.String()))
	}
	return numberValue(float64(count))
}

func (u *awk) strftime(n *node) value {
	format, at := "%a %b %e %H:%M:%S %Z %Y", u.Now
	if len(n.kids) > 0 {
		format = u.eval(n.kids[0]).string(u.Call, "")
	}
	if len(n.kids) > 1 {
		const most = 1 << 38
		at = time.Unix(int64(max(-most, min(most, u.num(u.eval(n.kids[1]))))), 0)
	}
	u.Step(32)
	u.Scan(16 * len(format))
	return textValue(date.Format(format, at.In(date.Zone(u.Env["TZ"]))))
}
