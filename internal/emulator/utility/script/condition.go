package script

import (
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// condition evaluates an expression of test.
type condition struct {
	*utility.Call
	words []string
	depth int
}

// test returns whether an expression is true (0), false (1) or wrong (2).
func test(c *utility.Call, _ []byte) (exit int) {
	words := c.Args[min(1, len(c.Args)):]
	if c.Name() == "[" {
		if len(words) == 0 || words[len(words)-1] != "]" {
			c.Fatal(2, "missing ]")
		}
		words = words[:len(words)-1]
	}
	if evaluate(c, words) {
		return 0
	}
	return 1
}

// evaluate returns the value of an expression of test. If it is wrong, the utility ends.
//
// Source: POSIX.1-2017, test: what counts for up to four arguments is decided by their number.
func evaluate(c *utility.Call, words []string) bool {
	t := &condition{Call: c, words: words}
	switch len(words) {
	case 0:
		return false
	case 1:
		return words[0] != ""
	case 2:
		if words[0] == "!" {
			return words[1] == ""
		}
	case 3:
		switch {
		case isBinary(words[1]):
			return t.binary(words[0], words[1], words[2])
		case words[0] == "!":
			return !evaluate(c, words[1:])
		case words[0] == "(" && words[2] == ")":
			return words[1] != ""
		}
	case 4:
		switch {
		case words[0] == "!":
			return !evaluate(c, words[1:])
		case words[0] == "(" && words[3] == ")":
			return evaluate(c, words[1:3])
		}
	}
	result := t.or()
	if len(t.words) > 0 {
		problem := "unknown operand"
		if c.GNU {
			problem = "unexpected operator"
		}
		c.Fatal(2, "%s: %s", t.words[0], problem)
	}
	return result
}

func (t *condition) peek() string {
	if len(t.words) == 0 {
		return ""
	}
	return t.words[0]
}

func (t *condition) next() string {
	if len(t.words) == 0 {
		t.Fatal(2, "argument expected")
	}
	w := t.words[0]
	t.words = t.words[1:]
	return w
}

func (t *condition) or() bool {
	result := t.and()
	for t.peek() == "-o" {
		t.next()
		right := t.and()
		result = result || right
	}
	return result
}

func (t *condition) and() bool {
	result := t.not()
	for t.peek() == "-a" {
		t.next()
		right := t.not()
		result = result && right
	}
	return result
}

func (t *condition) not() bool {
	if t.depth++; t.depth > utility.MaxDepth {
		t.Fatal(2, "expression too deep")
	}
	defer func() { t.depth-- }()
	if t.peek() == "!" && len(t.words) > 1 {
		t.next()
		return !t.not()
	}
	return t.primary()
}

func (t *condition) primary() bool {
	first := t.next()
	switch {
	case len(t.words) >= 2 && isBinary(t.words[0]):
		operator := t.next()
		return t.binary(first, operator, t.next())
	case first == "(":
		result := t.or()
		if t.peek() != ")" {
			t.Fatal(2, "closing paren expected")
		}
		t.next()
		return result
	case len(first) == 2 && first[0] == '-' && strings.IndexByte("bcdefghkLnOGNprsStuwxz", first[1]) >= 0 && len(t.words) > 0:
		return t.unary(first[1], t.next())
	}
	return first != ""
}

func isBinary(operator string) bool {
	switch operator {
	case "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", "-a", "-o":
		return true
	}
	return false
}

func (t *condition) binary(a, operator, b string) bool {
	switch operator {
	case "=", "==":
		return a == b
	case "!=":
		return a != b
	case "<":
		return a < b
	case ">":
		return a > b
	case "-a":
		return a != "" && b != ""
	case "-o":
		return a != "" || b != ""
	case "-nt", "-ot", "-ef":
		return t.compareFiles(a, operator, b)
	}
	x, y := t.integer(a), t.integer(b)
	switch operator {
	case "-eq":
		return x == y
	case "-ne":
		return x != y
	case "-lt":
		return x < y
	case "-le":
		return x <= y
	case "-gt":
		return x > y
	}
	return x >= y
}

func (t *condition) compareFiles(a, operator, b string) bool {
	x, errX := t.FS.Stat(t.Abs(a))
	y, errY := t.FS.Stat(t.Abs(b))
	switch operator {
	case "-nt":
		return errX == nil && (errY != nil || x.MTime.After(y.MTime))
	case "-ot":
		return errY == nil && (errX != nil || x.MTime.Before(y.MTime))
	}
	return errX == nil && errY == nil && x.Same(y)
}

func (t *condition) integer(s string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(s), "+"), 10, 64)
	if err != nil {
		switch {
		case strings.Contains(err.Error(), "range"):
			t.Fatal(2, "out of range: %s", s)
		case t.GNU:
			t.Fatal(2, "%s: integer expression expected", s)
		default:
			t.Fatal(2, "%s: bad number", s)
		}
	}
	return n
}

// unary evaluates a test of one word.
func (t *condition) unary(operator byte, word string) bool {
	switch operator {
	case 'n':
		return word != ""
	case 'z':
		return word == ""
	case 't':
		return t.HasTerminal(word)
	case 'h', 'L':
		i, err := t.FS.Lstat(t.Abs(word))
		return err == nil && i.IsLink()
	}
	i, err := t.FS.Stat(t.Abs(word))
	if err != nil {
		return false
	}
	kind := i.Mode & vfs.ModeType
	switch operator {
	case 'b':
		return kind == vfs.ModeBlock
	case 'c':
		return kind == vfs.ModeChar
	case 'd':
		return kind == vfs.ModeDir
	case 'f':
		return kind == vfs.ModeRegular
	case 'p':
		return kind == vfs.ModeFIFO
	case 'S':
		return kind == vfs.ModeSocket
	case 'g':
		return i.Mode&vfs.ModeSetGID != 0
	case 'k':
		return i.Mode&vfs.ModeSticky != 0
	case 'u':
		return i.Mode&vfs.ModeSetUID != 0
	case 's':
		return i.Size > 0
	case 'r':
		return t.FS.Access(t.Abs(word), 4) == nil
	case 'w':
		return t.FS.Access(t.Abs(word), 2) == nil
	case 'x':
		return t.FS.Access(t.Abs(word), 1) == nil
	case 'O':
		return i.UID == t.UID
	case 'G':
		return i.GID == t.GID
	case 'N':
		return true // access times are not stored: the file counts as read before its last change
	}
	return true // -e
}
