package utility

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// awkKind is the kind of an awk value.
type awkKind byte

const (
	awkUnset  awkKind = iota
	awkNumber         // a number
	awkText           // a string
	awkInput          // input: compared as a number if it looks like one
)

// awkValue is a value in awk.
type awkValue struct {
	kind awkKind
	text string
	n    float64
}

func awkNum(n float64) awkValue { return awkValue{kind: awkNumber, n: n} }
func awkStr(s string) awkValue  { return awkValue{kind: awkText, text: s} }
func awkFrom(s string) awkValue { return awkValue{kind: awkInput, text: s} }
func awkBool(b bool) awkValue {
	if b {
		return awkNum(1)
	}
	return awkNum(0)
}

// MarshalJSON implements json.Marshaler: a letter for the kind, and the value.
func (v awkValue) MarshalJSON() ([]byte, error) {
	switch {
	case v.kind == awkNumber:
		return json.Marshal("n" + strconv.FormatFloat(v.n, 'g', -1, 64))
	case v.kind == awkUnset:
		return json.Marshal("")
	}
	letter := map[awkKind]string{awkText: "s", awkInput: "i"}[v.kind]
	if utf8.ValidString(v.text) {
		return json.Marshal(letter + v.text)
	}
	return json.Marshal(strings.ToUpper(letter) + base64.StdEncoding.EncodeToString([]byte(v.text)))
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *awkValue) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*v = awkValue{}
	if s == "" {
		return nil
	}
	body := s[1:]
	switch s[0] {
	case 'n':
		n, err := strconv.ParseFloat(body, 64)
		*v = awkNum(n)
		return err
	case 's':
		*v = awkStr(body)
	case 'i':
		*v = awkFrom(body)
	default:
		raw, err := base64.StdEncoding.DecodeString(body)
		*v = awkValue{kind: map[byte]awkKind{'S': awkText, 'I': awkInput}[s[0]], text: string(raw)}
		return err
	}
	return nil
}

// number returns the value as a number: the one that its text begins with.
func (v awkValue) number() float64 {
	if v.kind == awkNumber {
		return v.n
	}
	n, _ := strconv.ParseFloat(strings.TrimSuffix(leadingNumber([]byte(strings.TrimLeft(v.text, " \t\n")), true), "."), 64)
	return n
}

// string returns the value as text; format is CONVFMT or OFMT, for numbers that are not integers.
func (v awkValue) string(c *Call, format string) string {
	if v.kind != awkNumber {
		return v.text
	}
	switch {
	case math.IsNaN(v.n):
		return "nan"
	case math.IsInf(v.n, 0):
		return map[bool]string{true: "inf", false: "-inf"}[v.n > 0]
	case v.n == math.Trunc(v.n) && math.Abs(v.n) < 1e16:
		return strconv.FormatInt(int64(v.n), 10)
	case format == "" || format == "%.6g":
		f := &formatter{Call: c}
		return strings.TrimSpace(f.general(v.n))
	}
	return c.awkFormat(format, []awkValue{v})
}

// general formats a number with %.6g.
func (f *formatter) general(n float64) string {
	f.out = nil
	f.float("%.6", 'g', strconv.FormatFloat(n, 'g', -1, 64))
	return string(f.out)
}

// true reports whether a value counts as true.
func (v awkValue) true() bool {
	switch v.kind {
	case awkNumber:
		return v.n != 0
	case awkInput:
		if v.numeric() {
			return v.number() != 0
		}
	}
	return v.text != ""
}

// numeric reports whether the value is compared as a number.
func (v awkValue) numeric() bool {
	switch v.kind {
	case awkNumber, awkUnset:
		return true
	case awkInput:
		s := strings.TrimSpace(v.text)
		if s == "" || strings.ContainsAny(s, "xXpP_nN") {
			return false
		}
		_, err := strconv.ParseFloat(s, 64)
		return err == nil
	}
	return false
}

// awkFormat is sprintf.
func (c *Call) awkFormat(format string, args []awkValue) string {
	c.scan(4 * len(format))
	f := &formatter{Call: c, plain: true}
	c.step(4 * int64(len(args)))
	for _, a := range args {
		text := a.text
		if a.kind == awkNumber {
			text = strconv.FormatFloat(a.n, 'f', -1, 64)
		}
		f.args = append(f.args, text)
		f.values = append(f.values, a)
	}
	f.awk(format)
	return string(f.out)
}

// awk formats as awk does: escapes were resolved before, and numbers are parsed leniently.
func (f *formatter) awk(format string) {
	for i := 0; i < len(format); {
		if format[i] != '%' || strings.HasPrefix(format[i:], "%%") || i+1 == len(format) {
			f.out = append(f.out, format[i])
			if i++; strings.HasPrefix(format[i-1:], "%%") {
				i++
			}
			continue
		}
		f.step(4)
		i += f.directive(format[i:])
		f.need(int64(len(f.out)))
	}
}

// convertAwk converts one value as %c, %d and their like do in awk.
func (f *formatter) convertAwk(spec string, verb byte) {
	var v awkValue
	text, ok := f.next()
	if ok && len(f.values) > 0 {
		v = f.values[len(f.values)-len(f.args)-1]
	}
	n := v.number()
	switch verb {
	case 'c':
		if v.kind == awkNumber {
			text = string(rune(int(n)))
		}
		r, size := utf8.DecodeRuneInString(text)
		if _ = r; size > 0 {
			text = text[:size]
		}
		f.text(spec, text)
	case 's':
		f.text(spec, v.string(f.Call, ""))
	case 'd', 'i':
		switch {
		case math.IsNaN(n) || math.IsInf(n, 0):
			f.text(spec, v.string(f.Call, ""))
		default:
			f.signed(spec, clampInt(n))
		}
	case 'u', 'o', 'x', 'X':
		f.unsigned(spec, verb, uint64(clampInt(n)))
	case 'f', 'F', 'e', 'E', 'g', 'G':
		f.float(spec, verb, strconv.FormatFloat(n, 'g', -1, 64))
	default:
		f.out = append(append(f.out, spec...), verb)
	}
}

func clampInt(n float64) int64 {
	switch {
	case n >= math.MaxInt64:
		return math.MaxInt64
	case n <= math.MinInt64:
		return math.MinInt64
	}
	return int64(n)
}
