package utility

import "strings"

// options are the parsed arguments of a call.
type options struct {
	given []option // in order
	rest  []string // the operands
}

type option struct {
	name  byte
	value string
}

// has reports whether an option was given.
func (o *options) has(name byte) bool { return o.count(name) > 0 }

func (o *options) count(name byte) (n int) {
	for _, g := range o.given {
		if g.name == name {
			n++
		}
	}
	return n
}

// last returns the value of an option, the last one if it was given several times.
func (o *options) last(name byte) (value string, given bool) {
	for _, g := range o.given {
		if g.name == name {
			value, given = g.value, true
		}
	}
	return value, given
}

// all returns the values of an option.
func (o *options) all(name byte) (values []string) {
	for _, g := range o.given {
		if g.name == name {
			values = append(values, g.value)
		}
	}
	return values
}

// latest returns the one of some options that was given last; 0 if none was.
func (o *options) latest(names string) (latest byte) {
	for _, g := range o.given {
		if strings.IndexByte(names, g.name) >= 0 {
			latest = g.name
		}
	}
	return latest
}

// syntax describes the options of a utility.
type syntax struct {
	// short are the letters; a letter before a colon takes a value, and before two colons an
	// optional value in the same argument. A leading plus ends the options at the first operand.
	short string

	// long are the words, without their dashes, and the letters that they stand for. A letter that
	// is not in short has only the word. "word:" takes a value, "word::" an optional one after "=".
	long map[string]byte

	// usage is the exit code for wrong options; 0 means 1.
	usage int
}

// parse parses the options; if they are wrong, it prints an error and ends the utility.
func (c *Call) parse(s syntax) *options {
	o := &options{}
	args := c.Args[min(1, len(c.Args)):]
	short, stopEarly := strings.CutPrefix(s.short, "+")
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			o.rest = append(o.rest, args...)
			return o
		case strings.HasPrefix(arg, "--"):
			args = c.long(o, s, arg[2:], args)
		case len(arg) > 1 && arg[0] == '-':
			args = c.cluster(o, s, short, arg[1:], args)
		case stopEarly:
			o.rest = append(append(o.rest, arg), args...)
			return o
		default:
			o.rest = append(o.rest, arg)
		}
	}
	return o
}

func (c *Call) wrongUsage(s syntax, format string, a ...any) { c.fatal(max(s.usage, 1), format, a...) }

// long parses an option that is a word, or an unambiguous beginning of one.
func (c *Call) long(o *options, s syntax, word string, args []string) []string {
	name, value, hasValue := strings.Cut(word, "=")
	var found string
	for known := range s.long {
		bare := strings.TrimRight(known, ":")
		if bare == name {
			found = known
			break
		}
		if strings.HasPrefix(bare, name) {
			if found != "" {
				c.wrongUsage(s, "unrecognized option: %s", word)
			}
			found = known
		}
	}
	letter, known := s.long[found]
	if !known {
		c.wrongUsage(s, "unrecognized option: %s", name)
	}
	takes, may := strings.HasSuffix(found, ":"), strings.HasSuffix(found, "::")
	switch {
	case hasValue && !takes:
		c.wrongUsage(s, "option does not take an argument: %s", name)
	case takes && !may && !hasValue:
		if len(args) == 0 {
			c.wrongUsage(s, "option requires an argument: %s", name)
		}
		value, args = args[0], args[1:]
	}
	o.given = append(o.given, option{letter, value})
	return args
}

// cluster parses the letters of one argument.
func (c *Call) cluster(o *options, s syntax, short, letters string, args []string) []string {
	for len(letters) > 0 {
		letter := letters[0]
		letters = letters[1:]
		at := strings.IndexByte(short, letter)
		if at < 0 || letter == ':' {
			c.wrongUsage(s, "unrecognized option: %c", letter)
		}
		value := ""
		if strings.HasPrefix(short[at+1:], ":") {
			value, letters = letters, ""
			if value == "" && !strings.HasPrefix(short[at+1:], "::") {
				if len(args) == 0 {
					c.wrongUsage(s, "option requires an argument: %c", letter)
				}
				value, args = args[0], args[1:]
			}
		}
		o.given = append(o.given, option{letter, value})
	}
	return args
}

// operands prints an error and ends the utility if the number of operands is out of bounds; most <
// 0 means no bound.
func (c *Call) operands(o *options, least, most int) {
	switch {
	case len(o.rest) < least && c.GNU:
		after := ""
		if len(o.rest) > 0 {
			after = " after '" + o.rest[len(o.rest)-1] + "'"
		}
		c.fatal(1, "missing operand%s\nTry '%s --help' for more information.", after, c.name())
	case len(o.rest) < least:
		c.fatal(1, "missing operand")
	case most >= 0 && len(o.rest) > most:
		c.fatal(1, "extra operand '%s'", o.rest[most])
	}
}
