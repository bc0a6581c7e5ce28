package utility

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rowlock/rowlock/internal/emulator/regex"
)

// maxCalls bounds how deep function calls nest.
const maxCalls = 200

// callFunction calls a function of the program. Arrays are passed by reference, values by copy.
func (u *awk) callFunction(n *awkNode) awkValue {
	f := u.program.functions[n.text]
	if f == nil {
		u.flush()
		u.fatal(2, "call to undefined function %s", n.text)
	}
	if len(n.kids) > len(f.params) {
		u.fatal(2, "function %s called with more arguments than it has", n.text)
	}
	if len(u.frames) >= maxCalls {
		u.flush()
		u.fatal(2, "functions call each other too deeply")
	}
	u.step(16 + 8*int64(len(f.params)))
	frame := map[string]*awkCell{}
	for i, param := range f.params {
		cell := &awkCell{}
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
	u.result = awkValue{}
	done := u.run(f.body)
	u.frames = u.frames[:len(u.frames)-1]
	u.forget(f, n, frame)
	result := u.result
	u.result = awkValue{}
	if done == awkExit {
		u.Exits = true
	}
	return result
}

// holdsNoValue reports whether a name is an array, or is unset and may become one.
func (u *awk) holdsNoValue(name string) bool {
	if cell := u.variable(name); cell != nil {
		return cell.value.kind == awkUnset
	}
	_, known := u.Vars[name]
	return !known && name != "NF"
}

// pattern returns the pattern of an operand.
func (u *awk) pattern(n *awkNode) *regex.Regex {
	if n.re != nil {
		return n.re
	}
	return u.regex(u.str(u.eval(n)))
}

func (u *awk) callBuiltin(n *awkNode) awkValue {
	text := func(i int) string { return u.str(u.eval(n.kids[i])) }
	num := func(i int) float64 { return u.num(u.eval(n.kids[i])) }
	switch n.text {
	case "length":
		if len(n.kids) == 0 {
			return awkNum(u.length(u.text()))
		}
		if arg := n.kids[0]; arg.op == "name" && u.holdsNoValue(arg.text) {
			return awkNum(float64(len(u.array(arg.text))))
		}
		return awkNum(u.length(text(0)))
	case "substr":
		return u.substr(n)
	case "index":
		s := text(0)
		sought := text(1)
		u.pass(4 * len(s))
		at := strings.Index(s, sought)
		if at >= 0 {
			at = utf8.RuneCountInString(s[:at])
		}
		return awkNum(float64(at + 1))
	case "split":
		return u.splitInto(n)
	case "sub", "gsub":
		return u.substitute(n)
	case "match":
		s := text(0)
		start, length := 0, -1
		u.pass(2 * len(s))
		if found := u.pattern(n.kids[1]).Find(u.step, s, 0, 0); found != nil {
			start, length = utf8.RuneCountInString(s[:found[0]])+1, utf8.RuneCountInString(s[found[0]:found[1]])
		}
		u.Vars["RSTART"], u.Vars["RLENGTH"] = awkNum(float64(start)), awkNum(float64(length))
		return awkNum(float64(start))
	case "sprintf":
		var values []awkValue
		for _, kid := range n.kids[1:] {
			values = append(values, u.eval(kid))
		}
		return awkStr(u.awkFormat(text(0), values))
	case "tolower":
		s := text(0)
		u.scan(2 * len(s))
		return awkStr(strings.ToLower(s))
	case "toupper":
		s := text(0)
		u.scan(2 * len(s))
		return awkStr(strings.ToUpper(s))
	case "close":
		file := text(0)
		f := u.Files[file]
		if f == nil {
			return awkNum(-1)
		}
		f.close(u.Call)
		delete(u.Files, file)
		return awkNum(0)
	case "fflush":
		u.flush()
		return awkNum(0)
	case "systime":
		return awkNum(float64(u.Now.Unix()))
	case "strftime":
		return u.strftime(n)
	case "rand":
		u.step(16)
		u.Draws++
		sum := sha256.Sum256(fmt.Appendf(nil, "%v %d", u.Seed, u.Draws))
		return awkNum(float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53))
	case "srand":
		old := u.Seed
		if u.Seed, u.Draws = float64(u.Now.Unix()), 0; len(n.kids) > 0 {
			u.Seed = num(0)
		}
		return awkNum(old)
	}
	return u.math(n.text, num)
}

func (u *awk) math(name string, num func(int) float64) awkValue {
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
	return awkNum(x)
}

// substr returns a part of a text, by the position of its first character, from 1; positions are
// rounded.
func (u *awk) substr(n *awkNode) awkValue {
	text := u.str(u.eval(n.kids[0]))
	u.scan(len(text))
	runes := []rune(text)
	start := math.RoundToEven(u.num(u.eval(n.kids[1])))
	end := math.Inf(1)
	if len(n.kids) > 2 {
		end = start + math.RoundToEven(u.num(u.eval(n.kids[2])))
	}
	start, end = max(start, 1), min(end, float64(len(runes)+1))
	if !(start < end) {
		return awkStr("")
	}
	return awkStr(string(runes[int(start)-1 : int(end)-1]))
}

func (u *awk) splitInto(n *awkNode) awkValue {
	text := u.str(u.eval(n.kids[0]))
	separator, pattern := u.Vars["FS"].string(u.Call, ""), (*awkNode)(nil)
	if len(n.kids) > 2 {
		if pattern = n.kids[2]; pattern.re == nil {
			separator = u.str(u.eval(pattern))
		}
	}
	if n.kids[1].op != "name" {
		u.fatal(2, "split: the second argument is not an array")
	}
	parts := u.cut(text, separator, pattern)
	u.clearArray(u.array(n.kids[1].text))
	for i, part := range parts {
		u.step(8)
		u.setElement(n.kids[1].text, awkNum(float64(i+1)).string(u.Call, ""), awkFrom(part))
	}
	return awkNum(float64(len(parts)))
}

// substitute implements sub and gsub.
func (u *awk) substitute(n *awkNode) awkValue {
	re := u.pattern(n.kids[0])
	with := u.str(u.eval(n.kids[1]))
	target := &awkNode{op: "$", kids: []*awkNode{{op: "number"}}}
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
	u.pass(2 * len(text))
	re.Each(u.step, text, 0, func(found []int) bool {
		u.scan(len(with) + (found[1] - found[0]))
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
		u.step(4)
		u.need(int64(out.Len()))
		return count != most
	})
	u.pass(out.Len())
	if count > 0 {
		out.WriteString(text[at:])
		u.store(target, awkStr(out.String()))
	}
	return awkNum(float64(count))
}

func (u *awk) strftime(n *awkNode) awkValue {
	format, at := "%a %b %e %H:%M:%S %Z %Y", u.Now
	if len(n.kids) > 0 {
		format = u.eval(n.kids[0]).string(u.Call, "")
	}
	if len(n.kids) > 1 {
		const most = 1 << 38
		at = time.Unix(int64(max(-most, min(most, u.num(u.eval(n.kids[1]))))), 0)
	}
	u.step(32)
	u.scan(16 * len(format))
	return awkStr(strftime(format, at.In(zoneOf(u.Env["TZ"]))))
}
