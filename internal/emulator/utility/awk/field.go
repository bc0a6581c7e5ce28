package awk

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
		u.Step(int64(len(u.fields)))
		u.Pass(2 * size)
		u.Last = strings.Join(u.fields, u.Vars["OFS"].string(u.Call, ""))
		u.Need(int64(len(u.Last)))
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
func (u *awk) cut(text, separator string, pattern *node) []string {
	u.Scan(len(text))
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
	return u.splitAt(text, &node{re: u.regex(separator)})
}

func (u *awk) splitAt(text string, pattern *node) (parts []string) {
	at := 0
	pattern.re.Each(u.Step, text, 0, func(found []int) bool {
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
		u.Fatal(2, "access to field %v", n)
	}
	return int(n)
}

func (u *awk) field(n int) value {
	if n == 0 {
		return inputValue(u.text())
	}
	if fields := u.fieldsNow(); n <= len(fields) {
		return inputValue(fields[n-1])
	}
	return value{}
}

func (u *awk) setField(n int, text string) {
	if n == 0 {
		u.setRecord(text)
		return
	}
	u.fieldsNow()
	u.Step(max(0, int64(n-len(u.fields))) / 2)
	for len(u.fields) < n {
		u.fields = append(u.fields, "")
	}
	u.fields[n-1] = text
	u.joined = false
}

func (u *awk) setFieldCount(n int) {
	u.fieldsNow()
	u.Step(max(0, int64(n-len(u.fields))) / 2)
	for len(u.fields) < n {
		u.fields = append(u.fields, "")
	}
	u.fields = u.fields[:n]
	u.joined = false
}

// variable returns the cell of a name in the innermost function; nil for a global one.
func (u *awk) variable(name string) *cell {
	if len(u.frames) == 0 {
		return nil
	}
	return u.frames[len(u.frames)-1][name]
}

func (u *awk) get(name string) value {
	if cell := u.variable(name); cell != nil {
		return cell.value
	}
	if name == "NF" {
		return numberValue(float64(len(u.fieldsNow())))
	}
	return u.Vars[name]
}

func (u *awk) setVariable(name string, v value) {
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
		u.Need(u.Held)
	}
}

// clearArray removes all elements of an array.
func (u *awk) clearArray(a map[string]value) {
	u.Step(1 + int64(len(a)))
	for k, v := range a {
		u.Held -= int64(len(k) + len(v.text) + elementBytes)
	}
	clear(a)
}

// forget frees the variables of a function when it returns; arrays that it was passed stay.
func (u *awk) forget(f *function, call *node, frame map[string]*cell) {
	for i, param := range f.params {
		cell := frame[param]
		u.Held -= int64(len(cell.value.text))
		if i >= len(call.kids) && cell.array != nil {
			u.clearArray(cell.array)
		}
	}
}

// num returns a value as a number.
func (u *awk) num(v value) float64 {
	u.read(v)
	return v.number()
}

// holds reports whether a value counts as true.
func (u *awk) holds(v value) bool {
	if v.kind == isInput {
		u.read(v)
	}
	return v.true()
}

// numeric reports whether a value is compared as a number.
func (u *awk) numeric(v value) bool {
	if v.kind == isInput {
		u.read(v)
	}
	return v.numeric()
}

// read bills the parsing of a number.
func (u *awk) read(v value) {
	if v.kind != isNumber {
		u.Scan(len(v.text))
	}
}

// str returns a value as text.
func (u *awk) str(v value) string { return u.shown(v, u.Vars["CONVFMT"].text) }

// shown returns a value as text; the format applies to numbers that are not integers.
func (u *awk) shown(v value, format string) string {
	if v.kind == isNumber {
		u.Step(4)
		if v.n != math.Trunc(v.n) {
			u.Scan(64 + 8*len(format))
		}
	}
	return v.string(u.Call, format)
}

// length returns the number of characters in a text.
func (u *awk) length(text string) float64 {
	u.Pass(2 * len(text))
	return float64(utf8.RuneCountInString(text))
}

// array returns an array by name, and creates it if it is missing.
func (u *awk) array(name string) map[string]value {
	if cell := u.variable(name); cell != nil {
		if cell.array == nil {
			cell.array = map[string]value{}
		}
		return cell.array
	}
	if u.Arrays[name] == nil {
		set(&u.Arrays, name, map[string]value{})
	}
	return u.Arrays[name]
}

func (u *awk) setElement(name, key string, v value) {
	a := u.array(name)
	if old, known := a[key]; known {
		u.Held -= int64(len(old.text))
	} else {
		u.Step(4)
		u.hold(int64(len(key)) + elementBytes)
	}
	u.hold(int64(len(v.text)))
	a[key] = v
}
