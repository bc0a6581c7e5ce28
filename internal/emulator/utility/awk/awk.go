// Package awk has the utility awk: it parses a program to a tree, and evaluates that record by
// record.
package awk

import (
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Utilities are the utilities of this package, by name.
var Utilities = map[string]utility.Utility{
	"awk":  {New: newAwk},
	"gawk": {New: newAwk},
	"mawk": {New: newAwk},
}

func newAwk() utility.Stream { return &awk{} }

// Chunk implements Stream.
func (u *awk) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	u.Call, u.regexes = c, nil
	u.prepare(c)
	if !u.Begun {
		u.Begun = true
		for _, b := range u.program.begin {
			if u.run(b) == exits {
				u.Exits = true
				break
			}
		}
		if u.Exits || len(u.program.rules) == 0 && len(u.program.end) == 0 {
			return u.finished()
		}
	}
	next := u.Feed.Run(c, u.operands, in, eof, u)
	if next != utility.Done {
		u.flush()
		return next, 0
	}
	return u.finished()
}

// finished runs the actions of END, and returns the exit code.
func (u *awk) finished() (utility.Next, int) {
	if len(u.program.rules) > 0 || len(u.program.end) > 0 {
		u.setRecord(u.Last)
		for _, e := range u.program.end {
			if u.run(e) == exits {
				break
			}
		}
	}
	u.flush()
	for _, f := range u.Files {
		f.Close(u.Call)
	}
	if u.Code == 0 && u.Failed {
		return utility.Done, 2
	}
	return utility.Done, u.Code
}

// prepare parses the arguments and the program.
func (u *awk) prepare(c *utility.Call) {
	if u.program == nil {
		o := c.Parse(utility.Syntax{Short: "+F:v:f:", Usage: 2, Long: map[string]byte{"field-separator:": 'F', "assign:": 'v', "file:": 'f'}})
		var pieces []string
		for _, file := range o.All('f') {
			data, err := c.ReadInput(file, nil)
			if err != nil {
				c.Fatal(2, "can't open '%s': %s", file, vfs.Reason(err))
			}
			pieces = append(pieces, string(data))
		}
		u.operands = o.Rest
		if pieces == nil {
			if len(u.operands) == 0 {
				c.Fatal(1, "no program text")
			}
			pieces, u.operands = u.operands[:1], u.operands[1:]
		}
		before := c.Steps()
		u.program = parse(c, strings.Join(pieces, "\n"))
		if u.Vars != nil {
			c.ResetSteps(before)
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
func (u *awk) initial(c *utility.Call, o *utility.Options) {
	u.Vars = map[string]value{
		"FS": textValue(" "), "OFS": textValue(" "), "ORS": textValue("\n"), "RS": textValue("\n"),
		"SUBSEP": textValue("\x1c"), "CONVFMT": textValue("%.6g"), "OFMT": textValue("%.6g"),
		"NR": numberValue(0), "FNR": numberValue(0), "RSTART": numberValue(0), "RLENGTH": numberValue(-1),
		"FILENAME": textValue(""), "ARGC": numberValue(float64(len(u.operands) + 1)),
	}
	u.Arrays = map[string]map[string]value{"ENVIRON": {}, "ARGV": {"0": textValue(c.Name())}}
	for name, value := range c.Env {
		u.Arrays["ENVIRON"][name] = inputValue(value)
	}
	for i, a := range u.operands {
		u.Arrays["ARGV"][numberValue(float64(i+1)).string(c, "")] = inputValue(a)
	}
	if fs, ok := o.Last('F'); ok {
		if fs == "t" {
			fs = "\t"
		}
		u.Vars["FS"] = textValue(unescaped(fs))
	}
	for _, a := range o.All('v') {
		if !isAssignment(a) {
			c.Fatal(2, "invalid variable assignment '%s'", a)
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
	u.Vars[name] = inputValue(unescaped(value))
}

func unescaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			out, size := escape(s[i:])
			b.WriteString(out)
			i += size - 1
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func (u *awk) Start(_ *utility.Call, file string) {
	u.Vars["FNR"] = numberValue(0)
	u.Vars["FILENAME"] = textValue(strings.TrimPrefix(file, "-"))
}

func (u *awk) Take(c *utility.Call, data []byte) utility.Verdict {
	switch rs := u.Vars["RS"].string(c, ""); {
	case len(rs) == 1:
		return u.Lines.Each(c, data, rs[0], func(text []byte) utility.Verdict { return u.record(string(text)) })
	case rs == "":
		return u.Lines.Each(c, data, '\n', u.paragraph)
	default:
		u.Para = append(u.Para, data...)
		c.Need(int64(len(u.Para)))
		return utility.More
	}
}

// paragraph takes a line of a record that ends with an empty line.
func (u *awk) paragraph(text []byte) utility.Verdict {
	if len(text) > 0 {
		if u.Para != nil {
			u.Para = append(u.Para, '\n')
		}
		u.Para = append(u.Para, text...)
		u.Need(int64(len(u.Para)))
		return utility.More
	}
	if u.Para == nil {
		return utility.More
	}
	record := string(u.Para)
	u.Para = nil
	return u.record(record)
}

func (u *awk) Finish(c *utility.Call, _ string) utility.Verdict {
	rs := u.Vars["RS"].string(c, "")
	if len(rs) > 1 {
		data := strings.TrimSuffix(string(u.Para), "\n")
		u.Para = nil
		re := u.regex(rs)
		for data != "" {
			if c.Tired() {
				u.Para = []byte(data)
				return utility.Later
			}
			found := re.Find(c.Step, data, 0, 0)
			if found == nil || found[1] == 0 {
				return u.record(data)
			}
			if v := u.record(data[:found[0]]); v != utility.More {
				return v
			}
			data = data[found[1]:]
		}
		return utility.More
	}
	if text, ok := u.Lines.Last(); ok {
		if rs != "" {
			return u.record(string(text))
		}
		u.paragraph(text)
	}
	if u.Para != nil {
		return u.paragraph(nil)
	}
	return utility.More
}

func (u *awk) CannotRead(c *utility.Call, file string, err error) {
	if isAssignment(file) {
		u.assign(file)
		return
	}
	u.flush()
	c.Complain("%s: %s", file, vfs.Reason(err))
	u.Failed = true
}

// record runs the rules on one record.
func (u *awk) record(text string) utility.Verdict {
	u.Step(12)
	u.Pass(2 * len(text))
	u.Vars["NR"] = numberValue(u.Vars["NR"].number() + 1)
	u.Vars["FNR"] = numberValue(u.Vars["FNR"].number() + 1)
	u.setRecord(text)
	if u.Ranges == nil {
		u.Ranges = make([]bool, len(u.program.rules))
	}
	for i, r := range u.program.rules {
		if !u.applies(i, r) {
			continue
		}
		done := normal
		if r.action == nil {
			u.write(u.text() + u.Vars["ORS"].string(u.Call, ""))
		} else {
			done = u.run(r.action)
		}
		if done == exits {
			u.Last, u.Exits = u.text(), true
			return utility.Quit
		}
		if done == nextFile {
			u.Last = u.text()
			return utility.NextFile
		}
		if done == nextRecord {
			break
		}
	}
	u.Last = u.text()
	return utility.More
}

func (u *awk) applies(i int, r rule) bool {
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
