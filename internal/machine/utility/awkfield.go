package utility

import "strings"

// maxFields bounds the number of a field.
const maxFields = 100_000

func (u *awk) setRecord(text string) {
	u.Last, u.joined, u.split, u.fields = text, true, false, nil
}

// text is $0.
func (u *awk) text() string {
	if !u.joined {
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

// cut cuts a text at a separator: at blanks for a single blank, at a pattern if it is longer than one byte.
func (u *awk) cut(text, separator string, pattern *awkNode) []string {
	u.step(int64(len(text) / 64))
	switch {
	case text == "":
		return nil
	case pattern != nil && pattern.re != nil:
		return splitAt(text, pattern)
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
	return splitAt(text, &awkNode{re: u.regex(separator)})
}

func splitAt(text string, pattern *awkNode) (parts []string) {
	at := 0
	for _, found := range pattern.re.FindAllStringIndex(text, -1) {
		if found[1] > found[0] {
			parts = append(parts, text[at:found[0]])
			at = found[1]
		}
	}
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
	for len(u.fields) < n {
		u.fields = append(u.fields, "")
	}
	u.fields[n-1] = text
	u.joined = false
}

func (u *awk) setFieldCount(n int) {
	u.fieldsNow()
	for len(u.fields) < n {
		u.fields = append(u.fields, "")
	}
	u.fields = u.fields[:n]
	u.joined = false
}

// variable is where a name of the innermost function is kept; nil for a global one.
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
	u.hold(int64(len(v.text)))
	if cell := u.variable(name); cell != nil {
		cell.value = v
		return
	}
	if name == "NF" {
		u.setFieldCount(u.fieldNumber(v.number()))
		return
	}
	if name == "FS" || name == "RS" {
		u.fieldsNow() // the record that is there was cut as it was before
	}
	u.Vars[name] = v
}

// hold counts what is kept: too much rather than too little, within one Chunk.
func (u *awk) hold(bytes int64) {
	if u.held += bytes; u.held > u.MaxMemory {
		u.flush()
		u.need(u.held)
	}
}

// array is an array by its name, which is made if there is none.
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
		parts[i] = u.eval(n).string(u.Call, u.Vars["CONVFMT"].text)
	}
	return strings.Join(parts, u.Vars["SUBSEP"].string(u.Call, ""))
}

func (u *awk) setElement(name, key string, v awkValue) {
	a := u.array(name)
	if old, known := a[key]; known {
		u.held -= int64(len(old.text))
	} else {
		u.hold(int64(len(key)) + 64)
	}
	u.hold(int64(len(v.text)))
	a[key] = v
}
