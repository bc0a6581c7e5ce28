package sed

import "github.com/rowlock/rowlock/internal/emulator/regex"

// address says to which lines a command applies.
type address struct {
	kind byte // 'n' line n, '~' every step-th from n, '$' the last, '/' those that match; as a second: '+' n more, '~' up to a multiple of n
	n    int64
	step int64
	re   *expression // nil: the last pattern used
}

// command is one command of a script.
type command struct {
	first, second *address
	not           bool
	name          byte
	text          string // of a, i, c, r; the label of b, t, T
	n             int    // the exit code of q; the target of b, t, T, and of { if it does not apply to the line
	sub           *substitution
	table         map[rune]rune // of y
}

// script is a parsed script.
type script struct {
	commands []command
	regexes  []*expression
	last     bool // it refers to the last line
	quiet    bool // it begins with #n
}

// expression is a pattern of a script, and its number, from 1.
type expression struct {
	*regex.Regex
	number int
}

// substitution is a parsed s command.
type substitution struct {
	re     *expression // nil: the last pattern used
	parts  []part
	global bool
	nth    int // the first match to replace
	print  bool
}

// part is a part of a replacement.
type part struct {
	text  string
	group int  // -1 for text
	turn  byte // one of L U l u E: how letters are changed from here on
}
