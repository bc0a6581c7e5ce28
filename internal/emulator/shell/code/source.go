package code

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// The limits of a source, checked before it is parsed: the parser recurses as deep as the source is
// nested.
const (
	MaxSource  = 64 << 10
	maxNesting = 150
)

// The errors of a source that exceeds a limit.
var (
	ErrLong = fmt.Errorf("a script of more than %d bytes is not emulated", MaxSource)
	errDeep = fmt.Errorf("a script that is nested more than %d deep is not emulated", maxNesting)
)

// Check returns an error if a source must not be parsed. It counts brackets and keywords regardless
// of quotes, so it never underestimates the nesting.
func Check(source string) error {
	if len(source) > MaxSource {
		return ErrLong
	}
	depth, ticks, word := 0, 0, 0
	for i := 0; i <= len(source); i++ {
		var c byte = ' '
		if i < len(source) {
			c = source[i]
		}
		if c >= 'a' && c <= 'z' {
			continue
		}
		switch source[word:i] {
		case "if", "while", "until", "for", "case", "select", "elif", "time", "coproc", "function":
			depth++
		case "fi", "done", "esac":
			depth = max(0, depth-1)
		}
		word = i + 1
		switch c {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth = max(0, depth-1)
		case '`':
			ticks++
		case '!', '~', '-', '+', '?':
			if i > 0 && (source[i-1] == c || source[i-1] == ' ' && i > 1 && source[i-2] == c) {
				if depth++; c == '-' || c == '?' {
					depth--
				}
			}
		case '\n':
			word = i + 1
		}
		if depth > maxNesting {
			return errDeep
		}
	}
	if strings.Contains(source, strings.Repeat("-", maxNesting)+"-x") || runs(source) {
		return errDeep
	}
	_ = ticks
	return nil
}

// runs reports whether a source has long runs of operators, which nest without brackets.
func runs(source string) bool {
	n := 0
	for i := range len(source) {
		switch source[i] {
		case '!', '~', '-', '+', '?', '\\', '`', '$', '"':
			if n++; n > 4*maxNesting {
				return true
			}
		case ' ', '\t', '\n':
		default:
			n = 0
		}
	}
	return false
}

type sourceKey struct {
	dialect Dialect
	source  string
	tail    bool
}

// cache holds compiled sources; it is emptied when it gets too large.
var cache struct {
	sync.Mutex
	codes map[sourceKey]*Code
	bytes int
}

const maxCache = 4 << 20

// Compiled returns the code of a source, from the cache if possible. If a statement cannot be
// parsed, the code has the statements before it and then an instruction that reports the error.
// tail says that nothing follows the unit in its process.
func Compiled(d Dialect, source string, tail bool) *Code {
	key := sourceKey{d, source, tail}
	cache.Lock()
	found := cache.codes[key]
	cache.Unlock()
	if found != nil {
		return found
	}
	made := compile(d, source, tail)
	cache.Lock()
	defer cache.Unlock()
	if cache.bytes += len(source) + 200*len(made.Ins); cache.codes == nil || cache.bytes > maxCache {
		cache.codes, cache.bytes = map[sourceKey]*Code{}, 0
	}
	cache.codes[key] = made
	return made
}

// compile compiles a source.
func compile(d Dialect, source string, tail bool) *Code {
	c := &compiler{dialect: d, source: source}
	c.unit(tail)
	return &Code{Ins: c.ins}
}

func (c *compiler) unit(tail bool) {
	if err := Check(c.source); err != nil {
		c.emit(Instr{Op: OpForeign, Text: err.Error()})
		return
	}
	stmts, failed := Parse(c.dialect, c.source)
	for range 4 { // a here-document may end with the source
		var open syntax.ParseError
		if !errors.As(failed, &open) {
			break
		}
		rest, ok := strings.CutPrefix(open.Text, "unclosed here-document `")
		if !ok {
			break
		}
		c.source += "\n" + strings.TrimSuffix(rest, "`") + "\n"
		stmts, failed = Parse(c.dialect, c.source)
	}
	for i, s := range stmts {
		if failed == nil && tail && i == len(stmts)-1 {
			c.tail(s)
			continue
		}
		c.stmt(s)
	}
	if failed != nil {
		c.failed(failed)
	}
	c.emit(Instr{Op: OpEnd})
}

// Parse returns the statements of a source before the first syntax error. A panic of the parser
// counts as a syntax error.
func Parse(d Dialect, source string) (stmts []*syntax.Stmt, failed error) {
	defer func() {
		if r := recover(); r != nil && failed == nil {
			failed = fmt.Errorf("%v", r)
		}
	}()
	for stmt, err := range syntax.NewParser(syntax.Variant(d.variant())).StmtsSeq(strings.NewReader(source)) {
		switch {
		case failed != nil: // the parser continues after an error in a here-document, and so must this loop
		case err != nil:
			failed = err
		default:
			stmts = append(stmts, stmt)
		}
	}
	return stmts, failed
}

// failed compiles the end of a unit that has a syntax error.
func (c *compiler) failed(err error) {
	var lang syntax.LangError
	var parse syntax.ParseError
	switch {
	case c.dialect == Dash && errors.As(err, &parse):
		c.line = int(parse.Pos.Line())
		c.emit(Instr{Op: OpSyntax, Text: "Syntax error: " + parse.Text})
	case errors.As(err, &lang):
		c.line = int(lang.Pos.Line())
		c.emit(Instr{Op: OpSyntax, Text: "syntax error: " + lang.Feature + " are not known to this shell"})
	case errors.As(err, &parse):
		c.line = int(parse.Pos.Line())
		c.emit(Instr{Op: OpSyntax, Text: "syntax error: " + parse.Text})
	default:
		c.emit(Instr{Op: OpSyntax, Text: "syntax error: " + err.Error()})
	}
}
