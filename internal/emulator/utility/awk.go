package utility

import (
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/regex"
)

var awkUtilities = map[string]Utility{"awk": {stream: newAwk}, "gawk": {stream: newAwk}, "mawk": {stream: newAwk}}

func newAwk() Stream { return &awk{} }

// awk runs a program over records.
//
// Differs: getline, system and pipes to and from commands are refused, because a program would have
// to suspend in its middle for them. Loops over arrays visit the keys in order.
type awk struct {
	Feed   feed                           `json:"feed"`
	Lines  lines                          `json:"lines"`
	Vars   map[string]awkValue            `json:"vars,omitempty"`
	Arrays map[string]map[string]awkValue `json:"arrays,omitempty"`
	Ranges []bool                         `json:"ranges,omitempty"` // the ranges that have begun
	Files  map[string]*openFile           `json:"files,omitempty"`  // open for writing
	Last   string                         `json:"last,omitempty"`   // $0
	Para   []byte                         `json:"para,omitempty"`   // an incomplete record of several lines
	Draws  uint64                         `json:"draws,omitempty"`
	Seed   float64                        `json:"seed,omitempty"`
	Begun  bool                           `json:"begun,omitempty"`
	Exits  bool                           `json:"exits,omitempty"`
	Code   int                            `json:"code,omitempty"`
	Failed bool                           `json:"failed,omitempty"`
	Held   int64                          `json:"held,omitempty"` // bytes of all stored values

	*Call    `json:"-"`
	program  *awkProgram
	operands []string
	fields   []string // $1, …
	split    bool     // fields are up to date with the record
	joined   bool     // the record is up to date with the fields
	frames   []map[string]*awkCell
	out      []byte
	regexes  map[string]*regex.Regex
	result   awkValue // of return
}

// awkCell is a variable of a function: a value or an array.
type awkCell struct {
	value awkValue
	array map[string]awkValue
}

// Chunk implements Stream.
func (u *awk) Chunk(c *Call, in []byte, eof bool) (Next, int) {
	u.Call, u.regexes = c, nil
	u.prepare(c)
	if !u.Begun {
		u.Begun = true
		for _, b := range u.program.begin {
			if u.run(b) == awkExit {
				u.Exits = true
				break
			}
		}
		if u.Exits || len(u.program.rules) == 0 && len(u.program.end) == 0 {
			return u.finished()
		}
	}
	next := u.Feed.run(c, u.operands, in, eof, u)
	if next != Done {
		u.flush()
		return next, 0
	}
	return u.finished()
}

// finished runs the actions of END, and returns the exit code.
func (u *awk) finished() (Next, int) {
	if len(u.program.rules) > 0 || len(u.program.end) > 0 {
		u.setRecord(u.Last)
		for _, e := range u.program.end {
			if u.run(e) == awkExit {
				break
			}
		}
	}
	u.flush()
	for _, f := range u.Files {
		f.close(u.Call)
	}
	if u.Code == 0 && u.Failed {
		return Done, 2
	}
	return Done, u.Code
}

func (u *awk) flush() {
	out := u.out
	u.out = nil
	u.put(u.Stdout, out)
}

// prepare parses the arguments and the program.
func (u *awk) prepare(c *Call) {
	if u.program == nil {
		o := c.parse(syntax{short: "+F:v:f:", usage: 2, long: map[string]byte{"field-separator:": 'F', "assign:": 'v', "file:": 'f'}})
		var pieces []string
		for _, file := range o.all('f') {
			data, err := c.read(file, nil)
			if err != nil {
				c.fatal(2, "can't open '%s': %s", file, reason(err))
			}
			pieces = append(pieces, string(data))
		}
		u.operands = o.rest
		if pieces == nil {
			if len(u.operands) == 0 {
				c.fatal(1, "no program text")
			}
			pieces, u.operands = u.operands[:1], u.operands[1:]
		}
		before := c.steps
		u.program = c.parseAwk(strings.Join(pieces, "\n"))
		if u.Vars != nil {
			c.again(before)
		}
		if u.Vars == nil {
			u.initial(c, o)
		}
		if !slices.ContainsFunc(u.operands, func(a string) bool { return !isAssignment(a) }) {
			u.operands = append(slices.Clone(u.operands), "-")
		}
	}
}

// initial sets the initial values of variables.
func (u *awk) initial(c *Call, o *options) {
	u.Vars = map[string]awkValue{
		"FS": awkStr(" "), "OFS": awkStr(" "), "ORS": awkStr("\n"), "RS": awkStr("\n"), "SUBSEP": awkStr("\x1c"), "CONVFMT": awkStr("%.6g"), "OFMT": awkStr("%.6g"),
		"NR": awkNum(0), "FNR": awkNum(0), "RSTART": awkNum(0), "RLENGTH": awkNum(-1), "FILENAME": awkStr(""), "ARGC": awkNum(float64(len(u.operands) + 1)),
	}
	u.Arrays = map[string]map[string]awkValue{"ENVIRON": {}, "ARGV": {"0": awkStr(c.name())}}
	for name, value := range c.Env {
		u.Arrays["ENVIRON"][name] = awkFrom(value)
	}
	for i, a := range u.operands {
		u.Arrays["ARGV"][awkNum(float64(i+1)).string(c, "")] = awkFrom(a)
	}
	if fs, ok := o.last('F'); ok {
		if fs == "t" {
			fs = "\t"
		}
		u.Vars["FS"] = awkStr(awkUnescaped(fs))
	}
	for _, a := range o.all('v') {
		if !isAssignment(a) {
			c.fatal(2, "invalid variable assignment '%s'", a)
		}
		u.assign(a)
	}
}

func isAssignment(arg string) bool {
	name, _, ok := strings.Cut(arg, "=")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" && (name[0] < '0' || name[0] > '9')
}

func (u *awk) assign(arg string) {
	name, value, _ := strings.Cut(arg, "=")
	u.Vars[name] = awkFrom(awkUnescaped(value))
}

func awkUnescaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			out, size := awkEscape(s[i:])
			b.WriteString(out)
			i += size - 1
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func (u *awk) start(_ *Call, file string) {
	u.Vars["FNR"] = awkNum(0)
	u.Vars["FILENAME"] = awkStr(strings.TrimPrefix(file, "-"))
}

func (u *awk) take(c *Call, data []byte) verdict {
	switch rs := u.Vars["RS"].string(c, ""); {
	case len(rs) == 1:
		return u.Lines.each(c, data, rs[0], func(text []byte) verdict { return u.record(string(text)) })
	case rs == "":
		return u.Lines.each(c, data, '\n', u.paragraph)
	default:
		u.Para = append(u.Para, data...)
		c.need(int64(len(u.Para)))
		return more
	}
}

// paragraph takes a line of a record that ends with an empty line.
func (u *awk) paragraph(text []byte) verdict {
	if len(text) > 0 {
		if u.Para != nil {
			u.Para = append(u.Para, '\n')
		}
		u.Para = append(u.Para, text...)
		u.need(int64(len(u.Para)))
		return more
	}
	if u.Para == nil {
		return more
	}
	record := string(u.Para)
	u.Para = nil
	return u.record(record)
}

func (u *awk) finish(c *Call, _ string) verdict {
	rs := u.Vars["RS"].string(c, "")
	if len(rs) > 1 {
		data := strings.TrimSuffix(string(u.Para), "\n")
		u.Para = nil
		re := u.regex(rs)
		for data != "" {
			if c.tired() {
				u.Para = []byte(data)
				return later
			}
			found := re.Find(c.step, data, 0, 0)
			if found == nil || found[1] == 0 {
				return u.record(data)
			}
			if v := u.record(data[:found[0]]); v != more {
				return v
			}
			data = data[found[1]:]
		}
		return more
	}
	if text, ok := u.Lines.rest(); ok {
		if rs != "" {
			return u.record(string(text))
		}
		u.paragraph(text)
	}
	if u.Para != nil {
		return u.paragraph(nil)
	}
	return more
}

func (u *awk) failed(c *Call, file string, err error) {
	if isAssignment(file) {
		u.assign(file)
		return
	}
	u.flush()
	c.complain("%s: %s", file, reason(err))
	u.Failed = true
}

// record runs the rules on one record.
func (u *awk) record(text string) verdict {
	u.step(12)
	u.pass(2 * len(text))
	u.Vars["NR"] = awkNum(u.Vars["NR"].number() + 1)
	u.Vars["FNR"] = awkNum(u.Vars["FNR"].number() + 1)
	u.setRecord(text)
	if u.Ranges == nil {
		u.Ranges = make([]bool, len(u.program.rules))
	}
	for i, r := range u.program.rules {
		if !u.applies(i, r) {
			continue
		}
		done := awkNormal
		if r.action == nil {
			u.write(u.text() + u.Vars["ORS"].string(u.Call, ""))
		} else {
			done = u.run(r.action)
		}
		if done == awkExit {
			u.Last, u.Exits = u.text(), true
			return quit
		}
		if done == awkNextFile {
			u.Last = u.text()
			return nextFile
		}
		if done == awkNext {
			break
		}
	}
	u.Last = u.text()
	return more
}

func (u *awk) applies(i int, r awkRule) bool {
	switch {
	case r.pattern == nil:
		return true
	case r.until == nil:
		return u.holds(u.eval(r.pattern))
	case !u.Ranges[i] && !u.holds(u.eval(r.pattern)):
		return false
	}
	u.Ranges[i] = !u.holds(u.eval(r.until))
	return true
}

func (u *awk) write(s string) {
	u.pass(2 * len(s))
	u.out = append(u.out, s...)
	if len(u.out) > 1<<12 {
		u.flush()
	}
}

// regex compiles a pattern that is only known at run time; the last ones are cached.
func (u *awk) regex(text string) *regex.Regex {
	if re := u.regexes[text]; re != nil {
		return re
	}
	re, err := u.compile(text, regexOptions{extended: true, awk: true})
	if err != nil {
		u.flush()
		u.fatal(2, "bad regex '%s': %s", text, err)
	}
	if len(u.regexes) > 100 {
		clear(u.regexes)
	}
	set(&u.regexes, text, re)
	return re
}

func set[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}
