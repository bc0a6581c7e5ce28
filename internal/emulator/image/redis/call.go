package redis

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// command is an emulated command.
type command struct {
	run func(x *call, until int64)

	// arity is the number of words with the command's name; if negative, the least number.
	arity int

	writes  bool // it changes keys
	grows   bool // it may take more memory
	open    bool // it needs no password
	outside bool // it runs at once within MULTI
}

// commands are all commands, by name.
var commands map[string]command

// call is one Talk.
type call struct {
	s    *Server
	c    *Session
	now  int64 // in milliseconds since 1970
	out  []byte
	work int

	args    []string // of the command
	inExec  bool
	changed bool
}

const (
	// maxAnswer is the most bytes in the answers of one Talk, and maxWork the most elements that
	// its commands visit.
	maxAnswer = 512 << 10
	maxWork   = 2 << 20
)

func (x *call) arg(i int) string        { return x.args[i] }
func (x *call) is(i int, w string) bool { return i < len(x.args) && strings.EqualFold(x.args[i], w) }
func (x *call) spend(n int) bool        { x.work += n; return x.work <= maxWork }

// get returns the entry of a key; nil if it does not exist or has expired.
func (x *call) get(key string) *Entry {
	i, ok := x.s.find(x.c.DB, key)
	if !ok {
		return nil
	}
	e := x.s.Entries[i]
	if e.Expires != 0 && e.Expires <= x.now {
		x.s.Entries = slices.Delete(x.s.Entries, i, i+1)
		return nil
	}
	x.s.Uses++
	e.Used = x.s.Uses
	return e
}

// getKind is get for a command that needs a kind: the error is errKind.
func (x *call) getKind(key string, k kind) (*Entry, error) {
	e := x.get(key)
	if e != nil && e.Kind != k {
		return nil, errKind
	}
	return e, nil
}

// make is getKind, but adds a missing key.
func (x *call) make(key string, k kind) (*Entry, error) {
	e, err := x.getKind(key, k)
	if e == nil && err == nil {
		e = x.fresh(key, k)
	}
	return e, err
}

// fresh replaces or adds a key, with no value.
func (x *call) fresh(key string, k kind) *Entry {
	x.s.Uses++
	e := &Entry{DB: x.c.DB, Key: kernel.Text(key), Kind: k, Used: x.s.Uses}
	i, ok := x.s.find(x.c.DB, key)
	if x.changed = true; ok {
		x.s.Entries[i] = e
	} else {
		x.s.Entries = slices.Insert(x.s.Entries, i, e)
	}
	return e
}

// remove removes a key, and reports whether it existed.
func (x *call) remove(key string) bool {
	if x.get(key) == nil {
		return false
	}
	i, _ := x.s.find(x.c.DB, key)
	x.s.Entries, x.changed = slices.Delete(x.s.Entries, i, i+1), true
	return true
}

// shrunk removes an entry that has lost its last item.
func (x *call) shrunk(e *Entry) {
	if x.changed = true; len(e.Items) == 0 {
		x.remove(string(e.Key))
	}
}

// keys returns the keys of the session's database, in order.
func (x *call) keys() (all []string) {
	x.expire()
	x.spend(len(x.s.Entries))
	for _, e := range x.s.Entries {
		if e.DB == x.c.DB {
			all = append(all, string(e.Key))
		}
	}
	return all
}

// expire removes expired entries.
func (x *call) expire() {
	x.s.Entries = slices.DeleteFunc(x.s.Entries, func(e *Entry) bool { return e.Expires != 0 && e.Expires <= x.now })
}

// Writing answers.

func (x *call) add(parts ...string) {
	if len(x.out) > maxAnswer {
		return // the connection is closed
	}
	for _, p := range parts {
		x.out = append(x.out, p...)
	}
}

func (x *call) ok()             { x.status("OK") }
func (x *call) status(s string) { x.add("+", s, "\r\n") }
func (x *call) error(s string)  { x.add("-", oneLine(s), "\r\n") }
func (x *call) fail(err error)  { x.error(err.Error()) }
func (x *call) number(n int64)  { x.add(":", strconv.FormatInt(n, 10), "\r\n") }
func (x *call) count(n int)     { x.number(int64(n)) }
func (x *call) yes(is bool)     { x.count(map[bool]int{true: 1}[is]) }
func (x *call) text(s string)   { x.add("$", strconv.Itoa(len(s)), "\r\n", s, "\r\n") }
func (x *call) none()           { x.add("$-1\r\n") }
func (x *call) noList()         { x.add("*-1\r\n") }
func (x *call) list(n int)      { x.add("*", strconv.Itoa(n), "\r\n") }

// oneLine keeps an error on one line.
func oneLine(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }

func (x *call) texts(all []string) {
	x.spend(len(all))
	x.list(len(all))
	for _, s := range all {
		x.text(s)
	}
}

// The errors of many commands.
var (
	errKind    = errors.New("WRONGTYPE Operation against a key holding the wrong kind of value")
	errInteger = errors.New("ERR value is not an integer or out of range")
	errFloat   = errors.New("ERR value is not a valid float")
	errSyntax  = errors.New("ERR syntax error")
	errNoKey   = errors.New("ERR no such key")
	errIndex   = errors.New("ERR index out of range")
	errWork    = errors.New("ERR rowlock: the command takes more than is emulated")
)

func integer(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != s {
		return 0, errInteger
	}
	return n, nil
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }
