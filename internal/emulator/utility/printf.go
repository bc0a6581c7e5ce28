package utility

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

var printfUtilities = map[string]Utility{"printf": {whole: printf}}

// maxWidth bounds the widths and precisions of printf.
const maxWidth = 4096

// formatter is one run of printf.
type formatter struct {
	*Call
	args   []string
	out    []byte
	failed bool
	ended  bool // \c has ended the output
	took   bool // an argument was used

	plain  bool       // as in awk: no escapes, and values instead of arguments
	values []awkValue // the values behind args
}

// printf prints its arguments in a format, which it repeats until the arguments are used up.
func printf(c *Call, _ []byte) int {
	args := c.Args[min(1, len(c.Args)):]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		c.fatal(1, "missing operand")
	}
	f := &formatter{Call: c, args: args[1:]}
	for {
		f.took = false
		f.format(args[0])
		c.print(string(f.out))
		f.out = f.out[:0]
		if f.ended || len(f.args) == 0 || !f.took {
			break
		}
		c.step(1)
	}
	return exitIf(f.failed)
}

func (f *formatter) format(format string) {
	for i := 0; i < len(format) && !f.ended; {
		switch b := format[i]; {
		case b == '\\' && i+1 < len(format):
			out, size, kind := escape(format[i:], false)
			if kind == escapeEnd {
				f.ended = true
				return
			}
			if format[i+1] == '"' || format[i+1] == '\'' {
				out = []byte{format[i+1]}
			}
			f.out = append(f.out, out...)
			i += size
		case b == '%' && strings.HasPrefix(format[i:], "%%"):
			f.out = append(f.out, '%')
			i += 2
		case b == '%':
			i += f.directive(format[i:])
		default:
			f.out = append(f.out, b)
			i++
		}
		f.need(int64(len(f.out)))
	}
}

// next returns the next argument.
func (f *formatter) next() (string, bool) {
	f.took = true
	if len(f.args) == 0 {
		return "", false
	}
	a := f.args[0]
	f.args = f.args[1:]
	return a, true
}

// directive prints one %…, and returns its length.
func (f *formatter) directive(text string) int {
	i := 1
	spec := "%"
	for i < len(text) && strings.IndexByte("-+ #0'", text[i]) >= 0 {
		if text[i] != '\'' { // no effect: the C locale does not group thousands
			spec += string(text[i])
		}
		i++
	}
	i += f.size(text[i:], &spec)
	if i < len(text) && text[i] == '.' {
		spec += "."
		i++
		i += f.size(text[i:], &spec)
	}
	for i < len(text) && strings.IndexByte("hlLjzt", text[i]) >= 0 {
		i++
	}
	if i >= len(text) {
		f.fatal(1, "%s: invalid format", text)
	}
	f.convert(spec, text[i])
	return i + 1
}

// size parses a width or a precision, which may be an argument.
func (f *formatter) size(text string, spec *string) (read int) {
	if strings.HasPrefix(text, "*") {
		arg, _ := f.next()
		n := int64(0)
		if arg != "" {
			n = f.integer(arg)
		}
		if n < -maxWidth || n > maxWidth {
			f.fatal(1, "%s: field too wide", arg)
		}
		if strings.HasSuffix(*spec, ".") && n < 0 { // a negative precision means none
			*spec = strings.TrimSuffix(*spec, ".")
			return 1
		}
		*spec += strconv.FormatInt(n, 10)
		return 1
	}
	digits := leadingDigits(text)
	if n, err := strconv.Atoi(text[:digits]); digits > 0 && (err != nil || n > maxWidth) {
		f.fatal(1, "%s: field too wide", text[:digits])
	}
	*spec += text[:digits]
	return digits
}

func (f *formatter) convert(spec string, verb byte) {
	if f.plain {
		f.convertAwk(spec, verb)
		return
	}
	switch verb {
	case 's':
		arg, _ := f.next()
		f.text(spec, arg)
	case 'b':
		arg, _ := f.next()
		text, ended := unescape(arg, true)
		f.text(spec, text)
		f.ended = f.ended || ended
	case 'q':
		arg, _ := f.next()
		f.text(spec, quote(arg))
	case 'c':
		arg, _ := f.next()
		f.text(spec, arg[:min(1, len(arg))])
	case 'd', 'i':
		arg, _ := f.next()
		f.signed(spec, f.integer(arg))
	case 'u', 'o', 'x', 'X':
		arg, _ := f.next()
		f.unsigned(spec, verb, uint64(f.integer(arg)))
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		arg, _ := f.next()
		f.float(spec, verb, arg)
	default:
		f.print(string(f.out))
		f.fatal(1, "%%%c: invalid directive", verb)
	}
}

// text prints a string; the precision cuts bytes, and the flag 0 does not pad.
func (f *formatter) text(spec, s string) {
	flags, width, precision := parts(spec)
	if precision >= 0 && precision < len(s) {
		s = s[:precision]
	}
	f.pad(flags, width, "", s, false)
}

// parts splits a directive; a precision of -1 means none.
func parts(spec string) (flags string, width, precision int) {
	rest := spec[1:]
	body := strings.TrimLeft(rest, "-+ #0")
	flags = rest[:len(rest)-len(body)]
	before, after, dot := strings.Cut(body, ".")
	width, _ = strconv.Atoi(before)
	precision = -1
	if dot {
		precision, _ = strconv.Atoi(after)
	}
	if width < 0 {
		flags, width = flags+"-", -width
	}
	return flags, width, precision
}

// pad prints a sign and a body, padded to a width.
func (f *formatter) pad(flags string, width int, sign, body string, zeros bool) {
	fill := max(0, width-len(sign)-len(body))
	switch {
	case strings.Contains(flags, "-"):
		body += strings.Repeat(" ", fill)
	case zeros && strings.Contains(flags, "0"):
		sign += strings.Repeat("0", fill)
	default:
		sign = strings.Repeat(" ", fill) + sign
	}
	f.out = append(append(f.out, sign...), body...)
}

func signOf(flags string, negative bool) string {
	switch {
	case negative:
		return "-"
	case strings.Contains(flags, "+"):
		return "+"
	case strings.Contains(flags, " "):
		return " "
	}
	return ""
}

func (f *formatter) signed(spec string, n int64) {
	flags, width, precision := parts(spec)
	digits := strings.TrimPrefix(strconv.FormatInt(n, 10), "-")
	f.pad(flags, width, signOf(flags, n < 0), atLeast(digits, precision), precision < 0)
}

func atLeast(digits string, precision int) string {
	if precision == 0 && digits == "0" {
		return ""
	}
	return strings.Repeat("0", max(0, precision-len(digits))) + digits
}

func (f *formatter) unsigned(spec string, verb byte, n uint64) {
	flags, width, precision := parts(spec)
	var digits, prefix string
	switch verb {
	case 'u':
		digits = strconv.FormatUint(n, 10)
	case 'o':
		digits = strconv.FormatUint(n, 8)
		if strings.Contains(flags, "#") && n != 0 {
			digits = "0" + digits
		}
	case 'x', 'X':
		digits = strconv.FormatUint(n, 16)
		if strings.Contains(flags, "#") && n != 0 {
			prefix = "0x"
		}
	}
	digits = atLeast(digits, precision)
	if verb == 'X' {
		digits, prefix = strings.ToUpper(digits), strings.ToUpper(prefix)
	}
	f.pad(flags, width, prefix, digits, precision < 0)
}

func (f *formatter) float(spec string, verb byte, arg string) {
	flags, width, precision := parts(spec)
	n := 0.0
	if value, quoted := quotedByte(arg); quoted {
		n = float64(value)
	} else if arg != "" {
		var err error
		if n, err = strconv.ParseFloat(strings.TrimSpace(arg), 64); err != nil && !math.IsInf(n, 0) || strings.ContainsRune(arg, '_') {
			f.invalid(arg)
			n = leadingFloat(arg)
		}
	}
	goVerb := string(verb)
	switch verb {
	case 'F':
		goVerb = "f"
	case 'a', 'A':
		goVerb = string(verb - 'a' + 'x')
	}
	if precision < 0 && verb != 'a' && verb != 'A' {
		precision = 6
	}
	sharp := ""
	if strings.Contains(flags, "#") {
		sharp = "#"
	}
	body := fmt.Sprintf("%"+sharp+"."+strconv.Itoa(precision)+goVerb, math.Abs(n))
	if precision < 0 {
		body = fmt.Sprintf("%"+goVerb, math.Abs(n))
	}
	odd := math.IsInf(n, 0) || math.IsNaN(n)
	if odd {
		body = strings.ToLower(strings.TrimPrefix(body, "+"))
	}
	f.pad(flags, width, signOf(flags, math.Signbit(n)), body, !odd)
}

// leadingFloat returns the number that a text begins with, or 0.
func leadingFloat(s string) float64 {
	for end := len(s); end > 0; end-- {
		if n, err := strconv.ParseFloat(s[:end], 64); err == nil {
			return n
		}
		if end > 64 {
			end = 64
		}
	}
	return 0
}

// quotedByte returns the value of 'c or "c.
func quotedByte(arg string) (byte, bool) {
	if len(arg) > 1 && (arg[0] == '\'' || arg[0] == '"') {
		return arg[1], true
	}
	return 0, false
}

func (f *formatter) invalid(arg string) {
	f.failed = true
	switch {
	case f.GNU && leadingDigits(arg) > 0:
		f.complain("'%s': value not completely converted", arg)
	case f.GNU:
		f.complain("'%s': expected a numeric value", arg)
	default:
		f.complain("invalid number '%s'", arg)
	}
}

// integer returns the value of a decimal, octal or hexadecimal argument.
func (f *formatter) integer(arg string) int64 {
	if value, quoted := quotedByte(arg); quoted {
		return int64(value)
	}
	s := strings.TrimSpace(arg)
	if s == "" && arg == "" {
		return 0
	}
	sign := strings.HasPrefix(s, "-")
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	number, radix := digits, 10
	switch {
	case strings.HasPrefix(digits, "0x"), strings.HasPrefix(digits, "0X"):
		number, radix = digits[2:], 16
	case len(digits) > 1 && digits[0] == '0':
		number, radix = digits[1:], 8
	}
	n, err := strconv.ParseUint(number, radix, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		f.invalid(arg)
		if sign {
			return math.MinInt64
		}
		return math.MaxInt64
	case err != nil:
		f.invalid(arg)
		if n = 0; f.GNU {
			n, _ = strconv.ParseUint(number[:leadingDigits(number)], 10, 64)
		}
	}
	if sign {
		return -int64(n)
	}
	return int64(n)
}

// quote quotes a word for a shell.
func quote(s string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
	if s == "" {
		return "''"
	}
	var b strings.Builder
	for i := range len(s) {
		switch {
		case strings.IndexByte(safe, s[i]) >= 0 || s[i] >= 0x80:
			b.WriteByte(s[i])
		case s[i] == '\n':
			b.WriteString("$'\\n'")
		default:
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
