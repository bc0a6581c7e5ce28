package utility

import "strings"

// Options are the parsed arguments of a call.
type Options struct {
	Given []Option // in order
	Rest  []string // the operands
}

// Option is an option that was given, by its letter, and its value if it takes one.
type Option struct {
	Name  byte
	Value string
}

// Has reports whether an option was given.
func (o *Options) Has(name byte) bool { return o.Count(name) > 0 }

// Count returns how often an option was given.
func (o *Options) Count(name byte) (n int) {
	for _, g := range o.Given {
		if g.Name == name {
			n++
		}
	}
	return n
}

// Last returns the value of an option, the last one if it was given several times.
func (o *Options) Last(name byte) (value string, given bool) {
	for _, g := range o.Given {
		if g.Name == name {
			value, given = g.Value, true
		}
	}
	return value, given
}

// All returns the values of an option.
func (o *Options) All(name byte) (values []string) {
	for _, g := range o.Given {
		if g.Name == name {
			values = append(values, g.Value)
		}
	}
	return values
}

// Latest returns the one of some options that was given last; 0 if none was.
func (o *Options) Latest(names string) (latest byte) {
	for _, g := range o.Given {
		if strings.IndexByte(names, g.Name) >= 0 {
			latest = g.Name
		}
	}
	return latest
}

// Syntax describes the options of a utility.
type Syntax struct {
	// Short are the letters; a letter before a colon takes a value, and before two colons an
	// optional value in the same argument. A leading plus ends the options at the first operand.
	Short string

	// Long are the words, without their dashes, and the letters that they stand for. A letter that
	// is not in Short has only the word. "word:" takes a value, "word::" an optional one after "=".
	Long map[string]byte

	// Usage is the exit code for wrong options; 0 means 1.
	Usage int
}

// Parse parses the options; if they are wrong, it prints an error and ends the utility.
func (c *Call) Parse(s Syntax) *Options {
	o := &Options{}
	args := c.Args[min(1, len(c.Args)):]
	short, stopEarly := strings.CutPrefix(s.Short, "+")
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			o.Rest = append(o.Rest, args...)
			return o
		case strings.HasPrefix(arg, "--"):
			args = c.long(o, s, arg[2:], args)
		case len(arg) > 1 && arg[0] == '-':
			args = c.cluster(o, s, short, arg[1:], args)
		case stopEarly:
			o.Rest = append(append(o.Rest, arg), args...)
			return o
		default:
			o.Rest = append(o.Rest, arg)
		}
	}
	return o
}

func (c *Call) wrongUsage(s Syntax, format string, a ...any) { c.Fatal(max(s.Usage, 1), format, a...) }

// long parses an option that is a word, or an unambiguous beginning of one.
func (c *Call) long(o *Options, s Syntax, word string, args []string) []string {
	name, value, hasValue := strings.Cut(word, "=")
	var found string
	for known := range s.Long {
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
	letter, known := s.Long[found]
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
	o.Given = append(o.Given, Option{letter, value})
	return args
}

// cluster parses the letters of one argument.
func (c *Call) cluster(o *Options, s Syntax, short, letters string, args []string) []string {
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
		o.Given = append(o.Given, Option{letter, value})
	}
	return args
}

// CheckOperands prints an error and ends the utility if the number of operands is out of bounds;
// most < 0 means no bound.
func (c *Call) CheckOperands(o *Options, least, most int) {
	switch {
	case len(o.Rest) < least && c.GNU:
		after := ""
		if len(o.Rest) > 0 {
			after = " after '" + o.Rest[len(o.Rest)-1] + "'"
		}
		c.Fatal(1, "missing operand%s\nTry '%s --help' for more information.", after, c.Name())
	case len(o.Rest) < least:
		c.Fatal(1, "missing operand")
	case most >= 0 && len(o.Rest) > most:
		c.Fatal(1, "extra operand '%s'", o.Rest[most])
	}
}
