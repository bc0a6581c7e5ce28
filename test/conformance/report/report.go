package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// junit is the part of a report in JUnit's format, as Ginkgo writes it, that is read.
type junit struct {
	Cases []struct {
		Name   string `xml:"name,attr"`
		Status string `xml:"status,attr"`
	} `xml:"testsuite>testcase"`
}

// specMark begins the names of tests: a report also has the suite's set-up and tear-down.
const specMark = "[It] "

// labels matches the labels that end a name in a report, besides those in it anyway: "…
// [Conformance] [sig-apps, Conformance]".
var labels = regexp.MustCompile(` \[[^\[\]]*\]$`)

// readReport reads the tests of a report that ran to their end. Those that were skipped or
// interrupted have no outcome.
func readReport(r io.Reader) ([]outcome, error) {
	var report junit
	if err := xml.NewDecoder(r).Decode(&report); err != nil {
		return nil, fmt.Errorf("read a JUnit report: %w", err)
	}
	var run []outcome
	for _, c := range report.Cases {
		name, test := strings.CutPrefix(c.Name, specMark)
		if !test {
			continue
		}
		name = labels.ReplaceAllString(name, "")
		switch c.Status {
		case "passed":
			run = append(run, outcome{Name: name, Passed: true})
		case "failed", "panicked", "timedout":
			run = append(run, outcome{Name: name})
		}
	}
	return run, nil
}
