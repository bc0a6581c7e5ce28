package main

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
)

//go:embed page.md.tmpl
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"cell": cell}).Parse(pageText))

// suiteSize is how many tests the conformance suite has.
// Source: kubernetes v1.36 test/conformance/testdata/conformance.yaml
const suiteSize = 446

// section is the part of the page about one interest group.
type section struct {
	Sig    string
	Passed int
	Rows   []row
}

type row struct{ Title, Outcome string }

// writePage writes the page: first the tests of the suite, then others of the same program.
func writePage(w io.Writer, all []outcome) error {
	inside := func(o outcome) bool { return o.conformance() }
	outside := func(o outcome) bool { return !o.conformance() }
	data := struct {
		Size, Run, Passed int
		Suite, Beyond     []section
	}{Size: suiteSize, Suite: sections(all, inside), Beyond: sections(all, outside)}
	for _, s := range data.Suite {
		data.Run += len(s.Rows)
		data.Passed += s.Passed
	}
	if err := page.Execute(w, data); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// sections returns the outcomes that which accepts, by interest group and then by name.
func sections(all []outcome, which func(outcome) bool) (list []section) {
	for _, o := range all {
		if !which(o) {
			continue
		}
		if len(list) == 0 || list[len(list)-1].Sig != o.sig() {
			list = append(list, section{Sig: o.sig()})
		}
		s := &list[len(list)-1]
		r := row{Title: o.title(), Outcome: "**fails**: " + o.Why}
		if o.Passed {
			s.Passed++
			r.Outcome = "passes"
		}
		s.Rows = append(s.Rows, r)
	}
	for _, s := range list {
		slices.SortStableFunc(s.Rows, func(a, b row) int { return strings.Compare(a.Title, b.Title) })
	}
	return list
}

// cell returns text as a cell of a Markdown table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
