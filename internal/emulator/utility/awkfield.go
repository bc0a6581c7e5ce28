package utility

import (
	"math"
	"strings"
	"unicode/utf8"
)

// maxFields bounds the number of a field.
const maxFields = 100_000

func (u *awk) setRecord(text string) {
	u.Last, u.joined, u.split, u.fields = text, true, false, nil
}

// text returns $0.
func (u *awk) text() string {
	if !u.joined {
		size := 0
		for _, f := range u.fields {
			size += len(f)
		}
		u.step(int64(len(u.fields)))
		u.pass(2 * size)
		u.Last = strings.Join(u.fields, u.Vars["OFS"].string(u.Call, ""))
		u.need(int64(len(u.Last)))
		u.joined = true
	}
	return u.Last
}

func (u *awk) fieldsNow() []string {
	if !u.split {
		u.fields = u.cut(u.Last, u.Vars["FS"].string(u.Call, ""), nil)
		u.split = true
	}
	return u.fields
}

// cut splits a text at a separator: at blanks for a single blank, at a pattern if it is longer than
// one byte.
func (u *awk) cut(text, separator string, pattern *awkNode) []string {
	u.scan(len(text))
	switch {
	case text == "":
		return nil
	case pattern != nil && pattern.re != nil:
		return u.splitAt(text, pattern)
	case separator == " ":
		return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
	case separator == "":
		return strings.Split(text, "")
	case len(separator) == 1 && separator != "\\":
		if u.Vars["RS"].string(u.Call, "") == "" {
			return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || string(r) == separator })
		}
		return strings.Split(text, separator)
	}
	return u.splitAt(text, &awkNode{re: u.regex(separator)})
}

func (u *awk) splitAt(text string, pattern *awkNode) (parts []string) {
	at := 0
	pattern.re.Each(u.step, text, 0, func(found []int) bool {
		if found[1] > found[0] {
			parts = append(parts, text[at:found[0]])
			at = found[1]
		}
		return true
	})
	return append(parts, text[at:])
}

func (u *awk) fieldNumber(n float64) int {
	if n < 0 || n > maxFields {
		u.flush()
		u.fatal(2, "access to field %v", n)
	}
	return int(n)
}

func (u *awk) field(n int) awkValue {
	if n == 0 {
		return awkFrom(u.text())
	}
	if fields := u.fieldsNow(); n <= len(fields) {
		return awkFrom(fields[n-1])
	}
	return awkValue{}
}

func (u *awk) setField(n int, text string) {
	if n == 0 {
		u.setRecord(text)
		return
	}
	u.fieldsNow()
	u.step(max(0, int64(n-len(u.fields))) / 2)
	for len(u.fields) < n {
		u.fields = append(u.fields, "")
	}
	u.fields[n-1] = text
	u.joined = false
}

func (u *awk) setFieldCount(n int) {
	u.fieldsNow()
	u.step(max(0, int64(n-len(u.fields))) / 2)
	for len(u.fields) < n {
		u.fields = append(u.fields, "")
	}
	u.fields = u.fields[:n]
	u.joined = false
}

// variable returns the cell of a name in the innermost function; nil for a global one.
func (u *awk) variable(name string) *awkCell {
	if len(u.frames) == 0 {
		return nil
	}
	return u.frames[len(u.frames)-1][name]
}

func (u *awk) get(name string) awkValue {
	if cell := u.variable(name); cell != nil {
		return cell.value
	}
	if name == "NF" {
		return awkNum(float64(len(u.fieldsNow())))
	}
	return u.Vars[name]
}

func (u *awk) setVariable(name string, v awkValue) {
	if cell := u.variable(name); cell != nil {
		u.hold(int64(len(v.text) - len(cell.value.text)))
		cell.value = v
		return
	}
	if name == "NF" {
		u.setFieldCount(u.fieldNumber(v.number()))
		return
	}
	if name == "FS" || name == "RS" {
		u.fieldsNow() // the current record is still split in the old way
	}
	u.hold(int64(len(v.text) - len(u.Vars[name].text)))
	u.Vars[name] = v
}

// elementBytes is what an element of an array counts besides its key and its text.
const elementBytes = 64

// hold counts stored bytes.
func (u *awk) hold(bytes int64) {
	if u.Held += bytes; u.Held > u.MaxMemory {
		u.flush()
		u.need(u.Held)
	}
}

// clearArray removes all elements of an array.
func (u *awk) clearArray(a map[string]awkValue) {
	u.step(1 + int64(len(a)))
	for k, v := range a {
		u.Held -= int64(len(k) + len(v.text) + elementBytes)
	}
	clear(a)
}

// forget frees the variables of a function when it returns; arrays that it was passed stay.
func (u *awk) forget(f *awkFunction, call *awkNode, frame map[string]*awkCell) {
	for i, param := range f.params {
		cell := frame[param]
		u.Held -= int64(len(cell.value.text))
		if i >= len(call.kids) && cell.array != nil {
			u.clearArray(cell.array)
		}
	}
}

// num returns a value as a number.
func (u *awk) num(v awkValue) float64 {
	u.read(v)
	return v.number()
}

// holds reports whether a value counts as true.
func (u *awk) holds(v awkValue) bool {
	if v.kind == awkInput {
		u.read(v)
	}
	return v.true()
}

// numeric reports whether a value is compared as a number.
func (u *awk) numeric(v awkValue) bool {
	if v.kind == awkInput {
		u.read(v)
	}
	return v.numeric()
}

// read bills the parsing of a number.
func (u *awk) read(v awkValue) {
	if v.kind != awkNumber {
		u.scan(len(v.text))
	}
}

// str returns a value as text.
func (u *awk) str(v awkValue) string { return u.shown(v, u.Vars["CONVFMT"].text) }

// shown returns a value as text; the format applies to numbers that are not integers.
func (u *awk) shown(v awkValue, format string) string {
	if v.kind == awkNumber {
		u.step(4)
		if v.n != math.Trunc(v.n) {
			u.scan(64 + 8*len(format))
		}
	}
	return v.string(u.Call, format)
}

// length returns the number of characters in a text.
func (u *awk) length(text string) float64 {
	u.pass(2 * len(text))
	return float64(utf8.RuneCountInString(text))
}

// array returns an array by name, and creates it if it is missing.
func (u *awk) array(name string) map[string]awkValue {
	if cell := u.variable(name); cell != nil {
		if cell.array == nil {
			cell.array = map[string]awkValue{}
		}
		return cell.array
	}
	if u.Arrays[name] == nil {
		set(&u.Arrays, name, map[string]awkValue{})
	}
	return u.Arrays[name]
}

func (u *awk) key(nodes []*awkNode) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		parts[i] = u.str(u.eval(n))
	}
	return strings.Join(parts, u.Vars["SUBSEP"].string(u.Call, ""))
}

func (u *awk) setElement(name, key string, v awkValue) {
	a := u.array(name)
	if old, known := a[key]; known {
		u.Held -= int64(len(old.text))
	} else {
		u.step(4)
		u.hold(int64(len(key)) + elementBytes)
	}
	u.hold(int64(len(v.text)))
	a[key] = v
}
