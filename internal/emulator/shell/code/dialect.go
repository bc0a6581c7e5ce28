package code

import "mvdan.cc/sh/v3/syntax"

// Dialect is the kind of a shell.
type Dialect string

// The dialects.
const (
	Ash  Dialect = "ash" // of busybox
	Dash Dialect = "dash"
	Bash Dialect = "bash"
)

func (d Dialect) variant() syntax.LangVariant {
	if d == Dash {
		return syntax.LangPOSIX
	}
	return syntax.LangBash
}
