package script

import (
	"strconv"
	"strings"
)

// pyValue is a value: 's' a string, 'n' an integer, 'f' another number, 'b' True or False, 'l' a
// list, 'e' an exception; 0 is None.
type pyValue struct {
	Kind   byte      `json:",omitempty"`
	Text   string    `json:",omitempty"`
	Number int64     `json:",omitempty"` // 1 for True
	Float  float64   `json:",omitempty"`
	Items  []pyValue `json:",omitempty"`
}

func pyText(s string) pyValue   { return pyValue{Kind: 's', Text: s} }
func pyInt(n int64) pyValue     { return pyValue{Kind: 'n', Number: n} }
func pyFloat(f float64) pyValue { return pyValue{Kind: 'f', Float: f} }
func pyBool(b bool) pyValue     { return pyValue{Kind: 'b', Number: map[bool]int64{true: 1}[b]} }

func (v pyValue) truth() bool {
	return v.Text != "" || v.Number != 0 || v.Float != 0 || len(v.Items) > 0
}

func (v pyValue) whole() bool     { return v.Kind == 'n' || v.Kind == 'b' }
func (v pyValue) isNumber() bool  { return v.whole() || v.Kind == 'f' }
func (v pyValue) amount() float64 { return v.Float + float64(v.Number) }

// str formats a value as print does; ok is false if that is not emulated.
func (v pyValue) str() (text string, ok bool) {
	switch v.Kind {
	case 's':
		return v.Text, true
	case 'n':
		return strconv.FormatInt(v.Number, 10), true
	case 'b':
		return map[bool]string{true: "True", false: "False"}[v.Number != 0], true
	case 0:
		return "None", true
	case 'f':
		text = strconv.FormatFloat(v.Float, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text, v.Float == 0 || v.Float > 1e-4 && v.Float < 1e15 || v.Float < -1e-4 && v.Float > -1e15
	case 'l':
		parts := make([]string, len(v.Items))
		for i, item := range v.Items {
			if parts[i], ok = item.str(); !ok || item.Kind == 's' && strings.ContainsAny(item.Text, "'\\\n\t") {
				return "", false
			}
			if item.Kind == 's' {
				parts[i] = "'" + item.Text + "'"
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	}
	return "", false
}
