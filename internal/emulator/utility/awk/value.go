package awk

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/printf"
)

// kind is the kind of an awk value.
type kind byte

const (
	unset    kind = iota
	isNumber      // a number
	isText        // a string
	isInput       // input: compared as a number if it looks like one
)

// value is a value in awk.
type value struct {
	kind kind
	text string
	n    float64
}

func numberValue(n float64) value { return value{kind: isNumber, n: n} }
func textValue(s string) value    { return value{kind: isText, text: s} }
func inputValue(s string) value   { return value{kind: isInput, text: s} }
func boolValue(b bool) value {
	if b {
		return numberValue(1)
	}
	return numberValue(0)
}

// MarshalJSON implements json.Marshaler: a letter for the kind, and the value.
func (v value) MarshalJSON() ([]byte, error) {
	switch {
	case v.kind == isNumber:
		return json.Marshal("n" + strconv.FormatFloat(v.n, 'g', -1, 64))
	case v.kind == unset:
		return json.Marshal("")
	}
	letter := map[kind]string{isText: "s", isInput: "i"}[v.kind]
	if utf8.ValidString(v.text) {
		return json.Marshal(letter + v.text)
	}
	return json.Marshal(strings.ToUpper(letter) + base64.StdEncoding.EncodeToString([]byte(v.text)))
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *value) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*v = value{}
	if s == "" {
		return nil
	}
	body := s[1:]
	switch s[0] {
	case 'n':
		n, err := strconv.ParseFloat(body, 64)
		*v = numberValue(n)
		return err
	case 's':
		*v = textValue(body)
	case 'i':
		*v = inputValue(body)
	default:
		raw, err := base64.StdEncoding.DecodeString(body)
		*v = value{kind: map[byte]kind{'S': isText, 'I': isInput}[s[0]], text: string(raw)}
		return err
	}
	return nil
}

// number returns the value as a number: the one that its text begins with.
func (v value) number() float64 {
	if v.kind == isNumber {
		return v.n
	}
	n, _ := strconv.ParseFloat(strings.TrimSuffix(utility.LeadingNumber([]byte(strings.TrimLeft(v.text, " \t\n")), true), "."), 64)
	return n
}

// string returns the value as text; format is CONVFMT or OFMT, for numbers that are not integers.
func (v value) string(c *utility.Call, format string) string {
	if v.kind != isNumber {
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
		f := &formatter{Formatter: printf.Formatter{Call: c}}
		return strings.TrimSpace(f.general(v.n))
	}
	return sprintf(c, format, []value{v})
}

// true reports whether a value counts as true.
func (v value) true() bool {
	switch v.kind {
	case isNumber:
		return v.n != 0
	case isInput:
		if v.numeric() {
			return v.number() != 0
		}
	}
	return v.text != ""
}

// numeric reports whether the value is compared as a number.
func (v value) numeric() bool {
	switch v.kind {
	case isNumber, unset:
		return true
	case isInput:
		s := strings.TrimSpace(v.text)
		if s == "" || strings.ContainsAny(s, "xXpP_nN") {
			return false
		}
		_, err := strconv.ParseFloat(s, 64)
		return err == nil
	}
	return false
}

// formatter is one run of awk's printf.
type formatter struct {
	printf.Formatter
	values []value // the values behind args
}

// general formats a number with %.6g.
func (f *formatter) general(n float64) string {
	f.Out = nil
	f.Float("%.6", 'g', strconv.FormatFloat(n, 'g', -1, 64))
	return string(f.Out)
}

// sprintf is sprintf.
func sprintf(c *utility.Call, format string, args []value) string {
	c.Scan(4 * len(format))
	f := &formatter{Formatter: printf.Formatter{Call: c}}
	c.Step(4 * int64(len(args)))
	for _, a := range args {
		text := a.text
		if a.kind == isNumber {
			text = strconv.FormatFloat(a.n, 'f', -1, 64)
		}
		f.Args = append(f.Args, text)
		f.values = append(f.values, a)
	}
	f.awk(format)
	return string(f.Out)
}

// awk formats as awk does: escapes were resolved before, and numbers are parsed leniently.
func (f *formatter) awk(format string) {
	for i := 0; i < len(format); {
		if format[i] != '%' || strings.HasPrefix(format[i:], "%%") || i+1 == len(format) {
			f.Out = append(f.Out, format[i])
			if i++; strings.HasPrefix(format[i-1:], "%%") {
				i++
			}
			continue
		}
		f.Step(4)
		spec, verb, size := f.Directive(format[i:])
		f.convert(spec, verb)
		i += size
		f.Need(int64(len(f.Out)))
	}
}

// convert converts one value as %c, %d and their like do in awk.
func (f *formatter) convert(spec string, verb byte) {
	var v value
	text, ok := f.Next()
	if ok && len(f.values) > 0 {
		v = f.values[len(f.values)-len(f.Args)-1]
	}
	n := v.number()
	switch verb {
	case 'c':
		if v.kind == isNumber {
			text = string(rune(int(n)))
		}
		r, size := utf8.DecodeRuneInString(text)
		if _ = r; size > 0 {
			text = text[:size]
		}
		f.Text(spec, text)
	case 's':
		f.Text(spec, v.string(f.Call, ""))
	case 'd', 'i':
		switch {
		case math.IsNaN(n) || math.IsInf(n, 0):
			f.Text(spec, v.string(f.Call, ""))
		default:
			f.Signed(spec, clampInt(n))
		}
	case 'u', 'o', 'x', 'X':
		f.Unsigned(spec, verb, uint64(clampInt(n)))
	case 'f', 'F', 'e', 'E', 'g', 'G':
		f.Float(spec, verb, strconv.FormatFloat(n, 'g', -1, 64))
	default:
		f.Out = append(append(f.Out, spec...), verb)
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
