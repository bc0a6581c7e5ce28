package shell

import "mvdan.cc/sh/v3/syntax"

// dialect is the kind of a shell.
type dialect string

// The dialects.
const (
	ash  dialect = "ash" // of busybox
	dash dialect = "dash"
	bash dialect = "bash"
)

func (d dialect) variant() syntax.LangVariant {
	if d == dash {
		return syntax.LangPOSIX
	}
	return syntax.LangBash
}
