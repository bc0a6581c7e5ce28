package awk

import (
	"github.com/rowlock/rowlock/internal/emulator/regex"
	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
)

// awk runs a program over records.
//
// Differs: getline, system and pipes to and from commands are refused, because a program would have
// to suspend in its middle for them. Loops over arrays visit the keys in order.
type awk struct {
	Feed   utility.Feed                `json:"feed"`
	Lines  utility.Lines               `json:"lines"`
	Vars   map[string]value            `json:"vars,omitempty"`
	Arrays map[string]map[string]value `json:"arrays,omitempty"`
	Ranges []bool                      `json:"ranges,omitempty"` // the ranges that have begun
	Files  map[string]*utility.OutFile `json:"files,omitempty"`  // open for writing
	Last   string                      `json:"last,omitempty"`   // $0
	Para   []byte                      `json:"para,omitempty"`   // an incomplete record of several lines
	Draws  uint64                      `json:"draws,omitempty"`
	Seed   float64                     `json:"seed,omitempty"`
	Begun  bool                        `json:"begun,omitempty"`
	Exits  bool                        `json:"exits,omitempty"`
	Code   int                         `json:"code,omitempty"`
	Failed bool                        `json:"failed,omitempty"`
	Held   int64                       `json:"held,omitempty"` // bytes of all stored values

	*utility.Call `json:"-"`
	program       *program
	operands      []string
	fields        []string // $1, …
	split         bool     // fields are up to date with the record
	joined        bool     // the record is up to date with the fields
	frames        []map[string]*cell
	out           []byte
	regexes       map[string]*regex.Regex
	result        value // of return
}

// cell is a variable of a function: a value or an array.
type cell struct {
	value value
	array map[string]value
}

func (u *awk) flush() {
	out := u.out
	u.out = nil
	u.Put(u.Stdout, out)
}

func (u *awk) write(s string) {
	u.Pass(2 * len(s))
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
	re, err := pattern.Compile(u.Call, text, pattern.Options{Extended: true, Awk: true})
	if err != nil {
		u.flush()
		u.Fatal(2, "bad regex '%s': %s", text, err)
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
