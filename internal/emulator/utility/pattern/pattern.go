// Package pattern has the patterns of utilities: POSIX regular expressions, which it translates to
// those of package regex, and the patterns of file names.
package pattern

import (
	"errors"
	"regexp"
	resyntax "regexp/syntax"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/regex"
	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// maxPattern bounds the length of a pattern, in bytes.
const maxPattern = 8 << 10

// Options say how to interpret a pattern.
type Options struct {
	Extended bool // as for grep -E
	Fixed    bool // plain text, not a pattern
	Fold     bool // ignore case
	Word     bool // it must match whole words; the match is then the first group
	Line     bool // it must match whole lines
	Prefix   bool // it must match from the start
	Multi    bool // ^ and $ match at every line's start and end
	Escapes  bool // \n and the like also count in sets, as in sed
	Awk      bool // every backslash does
}

// MustCompile compiles a POSIX pattern; if that fails, it prints an error and ends the utility.
func MustCompile(c *utility.Call, pattern string, o Options, exit int) *regex.Regex {
	re, err := CompileScript(c, pattern, o)
	if err != nil {
		c.Fatal(exit, "bad regex '%s': %s", pattern, err)
	}
	return re
}

// CompileScript compiles a POSIX pattern that is part of the call's arguments or script, and bounds
// all of these together.
func CompileScript(c *utility.Call, pattern string, o Options) (*regex.Regex, error) {
	re, err := Compile(c, pattern, o)
	if err == nil && c.Programs() > maxPrograms {
		return nil, regex.ErrTooBig
	}
	return re, err
}

// maxPrograms bounds the instructions of all patterns of a call, because they are compiled again
// whenever the call's state is read from JSON.
const maxPrograms = 50_000

// Compile translates a POSIX pattern to one of RE2, which matches in time proportional to the text
// and the pattern's instructions. Bytes that are not UTF-8 match "." as one character each. It
// bills its work.
//
// Differs: a back-reference in a pattern is refused, because it cannot be matched in bounded time.
func Compile(c *utility.Call, pattern string, o Options) (*regex.Regex, error) {
	if len(pattern) > maxPattern {
		return nil, regex.ErrTooBig
	}
	c.Step(32 + 4*int64(len(pattern)))
	text := regexp.QuoteMeta(pattern)
	if !o.Fixed {
		t := &translation{in: pattern, extended: o.Extended, escapes: o.Escapes || o.Awk, awk: o.Awk}
		var err error
		if text, err = t.run(); err != nil {
			return nil, err
		}
	}
	switch {
	case o.Line:
		text = `^(?:` + text + `)$`
	case o.Prefix:
		text = `^(?:` + text + `)`
	}
	if o.Word {
		text = `(?:^|[^0-9A-Za-z_])(` + text + `)(?:$|[^0-9A-Za-z_])`
	}
	flags := resyntax.Perl | resyntax.DotNL
	if o.Fold {
		flags |= resyntax.FoldCase
	}
	if o.Multi {
		flags &^= resyntax.OneLine
	}
	re, err := regex.Compile(text, flags)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	c.CountProgram(re.Size())
	c.Step(re.Cost())
	return re, nil
}
