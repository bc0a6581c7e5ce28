package printf

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// Formatter is one run of printf.
type Formatter struct {
	*utility.Call
	Args   []string // those that were not used yet
	Out    []byte
	failed bool
	ended  bool // \c has ended the output
	took   bool // an argument was used
}

// Format appends the arguments in a format to the output.
func (f *Formatter) Format(format string) {
	for i := 0; i < len(format) && !f.ended; {
		switch b := format[i]; {
		case b == '\\' && i+1 < len(format):
			out, size, end := utility.Escape(format[i:], false)
			if end {
				f.ended = true
				return
			}
			if format[i+1] == '"' || format[i+1] == '\'' {
				out = []byte{format[i+1]}
			}
			f.Out = append(f.Out, out...)
			i += size
		case b == '%' && strings.HasPrefix(format[i:], "%%"):
			f.Out = append(f.Out, '%')
			i += 2
		case b == '%':
			spec, verb, size := f.Directive(format[i:])
			f.convert(spec, verb)
			i += size
		default:
			f.Out = append(f.Out, b)
			i++
		}
		f.Need(int64(len(f.Out)))
	}
}

// Next returns the next argument.
func (f *Formatter) Next() (string, bool) {
	f.took = true
	if len(f.Args) == 0 {
		return "", false
	}
	a := f.Args[0]
	f.Args = f.Args[1:]
	return a, true
}

// Directive parses one %…. It returns everything before the verb, without what has no effect, the
// verb, and the length. Arguments replace widths and precisions that are *.
func (f *Formatter) Directive(text string) (spec string, verb byte, length int) {
	i := 1
	spec = "%"
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
		f.Fatal(1, "%s: invalid format", text)
	}
	return spec, text[i], i + 1
}

// size parses a width or a precision, which may be an argument.
func (f *Formatter) size(text string, spec *string) (read int) {
	if strings.HasPrefix(text, "*") {
		arg, _ := f.Next()
		n := int64(0)
		if arg != "" {
			n = f.integer(arg)
		}
		if n < -MaxWidth || n > MaxWidth {
			f.Fatal(1, "%s: field too wide", arg)
		}
		if strings.HasSuffix(*spec, ".") && n < 0 { // a negative precision means none
			*spec = strings.TrimSuffix(*spec, ".")
			return 1
		}
		*spec += strconv.FormatInt(n, 10)
		return 1
	}
	digits := utility.LeadingDigits(text)
	if n, err := strconv.Atoi(text[:digits]); digits > 0 && (err != nil || n > MaxWidth) {
		f.Fatal(1, "%s: field too wide", text[:digits])
	}
	*spec += text[:digits]
	return digits
}

// Text prints a string; the precision cuts bytes, and the flag 0 does not pad.
func (f *Formatter) Text(spec, s string) {
	flags, width, precision := Parts(spec)
	if precision >= 0 && precision < len(s) {
		s = s[:precision]
	}
	f.Pad(flags, width, "", s, false)
}

// Parts splits a directive; a precision of -1 means none.
func Parts(spec string) (flags string, width, precision int) {
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

// Pad prints a sign and a body, padded to a width.
func (f *Formatter) Pad(flags string, width int, sign, body string, zeros bool) {
	fill := max(0, width-len(sign)-len(body))
	switch {
	case strings.Contains(flags, "-"):
		body += strings.Repeat(" ", fill)
	case zeros && strings.Contains(flags, "0"):
		sign += strings.Repeat("0", fill)
	default:
		sign = strings.Repeat(" ", fill) + sign
	}
	f.Out = append(append(f.Out, sign...), body...)
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

// Signed prints an integer, as %d does.
func (f *Formatter) Signed(spec string, n int64) {
	flags, width, precision := Parts(spec)
	digits := strings.TrimPrefix(strconv.FormatInt(n, 10), "-")
	f.Pad(flags, width, signOf(flags, n < 0), atLeast(digits, precision), precision < 0)
}

func atLeast(digits string, precision int) string {
	if precision == 0 && digits == "0" {
		return ""
	}
	return strings.Repeat("0", max(0, precision-len(digits))) + digits
}

// Unsigned prints an integer as %u, %o, %x and %X do.
func (f *Formatter) Unsigned(spec string, verb byte, n uint64) {
	flags, width, precision := Parts(spec)
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
	f.Pad(flags, width, prefix, digits, precision < 0)
}

// Float prints a number that is given as text, as %f, %e, %g and %a do.
func (f *Formatter) Float(spec string, verb byte, arg string) {
	flags, width, precision := Parts(spec)
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
	f.Pad(flags, width, signOf(flags, math.Signbit(n)), body, !odd)
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

func (f *Formatter) invalid(arg string) {
	f.failed = true
	switch {
	case f.GNU && utility.LeadingDigits(arg) > 0:
		f.Complain("'%s': value not completely converted", arg)
	case f.GNU:
		f.Complain("'%s': expected a numeric value", arg)
	default:
		f.Complain("invalid number '%s'", arg)
	}
}

// MaxWidth bounds the widths and precisions of printf.
const MaxWidth = 4096

func (f *Formatter) convert(spec string, verb byte) {
	switch verb {
	case 's':
		arg, _ := f.Next()
		f.Text(spec, arg)
	case 'b':
		arg, _ := f.Next()
		text, ended := utility.Unescape(arg, true)
		f.Text(spec, text)
		f.ended = f.ended || ended
	case 'q':
		arg, _ := f.Next()
		f.Text(spec, quote(arg))
	case 'c':
		arg, _ := f.Next()
		f.Text(spec, arg[:min(1, len(arg))])
	case 'd', 'i':
		arg, _ := f.Next()
		f.Signed(spec, f.integer(arg))
	case 'u', 'o', 'x', 'X':
		arg, _ := f.Next()
		f.Unsigned(spec, verb, uint64(f.integer(arg)))
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		arg, _ := f.Next()
		f.Float(spec, verb, arg)
	default:
		f.Print(string(f.Out))
		f.Fatal(1, "%%%c: invalid directive", verb)
	}
}

// integer returns the value of a decimal, octal or hexadecimal argument.
func (f *Formatter) integer(arg string) int64 {
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
			n, _ = strconv.ParseUint(number[:utility.LeadingDigits(number)], 10, 64)
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
