package awk

import "github.com/rowlock/rowlock/internal/emulator/regex"

// node is a part of a program: an expression or a statement.
type node struct {
	op   string // its kind: an operator, a statement, "number", "string", "regex", "name", "$", "index", "call", "builtin", …
	text string // a name, a string, an assignment operator
	n    float64
	re   *regex.Regex
	kids []*node
}

// rule is a pattern and its action.
type rule struct {
	pattern, until *node // until: the end of a range
	action         *node // nil means print
}

// function is a function of the program.
type function struct {
	params []string
	body   *node
}

// program is a parsed program.
type program struct {
	begin, end []*node
	rules      []rule
	functions  map[string]*function
}
