package main

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// outcome is the result of one of the suite's tests in its last run.
type outcome struct {
	// Name is the test's full name, with its labels: "[sig-apps] Deployment should …
	// [Conformance]".
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
	// Why is the reason of a failure, written by hand; empty if the test passes.
	Why string `json:"why,omitempty"`
}

// label matches one of the words in brackets in a name.
var label = regexp.MustCompile(`\s*\[[^\]]+\]`)

// sig returns the interest group of the test, as in sig-apps.
func (o outcome) sig() string {
	sig, _, _ := strings.Cut(strings.TrimPrefix(o.Name, "["), "]")
	return sig
}

// conformance reports whether the test belongs to the conformance suite.
func (o outcome) conformance() bool { return strings.Contains(o.Name, "[Conformance]") }

// title returns the name without its labels.
func (o outcome) title() string { return strings.TrimSpace(label.ReplaceAllString(o.Name, "")) }

// merge returns the outcomes after a run: its outcomes replace older ones of the same tests. A test
// that still fails keeps its explanation.
func merge(known, run []outcome) []outcome {
	all := map[string]outcome{}
	for _, o := range known {
		all[o.Name] = o
	}
	for _, o := range run {
		if !o.Passed {
			o.Why = all[o.Name].Why
		}
		all[o.Name] = o
	}
	merged := make([]outcome, 0, len(all))
	for _, o := range all {
		merged = append(merged, o)
	}
	slices.SortFunc(merged, func(a, b outcome) int { return cmp.Compare(a.Name, b.Name) })
	return merged
}

// unexplained returns the tests that fail without a reason.
func unexplained(all []outcome) (names []string) {
	for _, o := range all {
		if !o.Passed && o.Why == "" {
			names = append(names, o.Name)
		}
	}
	return names
}
