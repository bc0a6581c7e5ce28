package main

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// outcome is what came of one of the suite's tests when it was last run.
type outcome struct {
	// Name is the test's, whole, with its labels: "[sig-apps] Deployment should … [Conformance]".
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
	// Why it fails, written by hand; empty where it passes.
	Why string `json:"why,omitempty"`
}

// label is one of the words in brackets that a name carries.
var label = regexp.MustCompile(`\s*\[[^\]]+\]`)

// sig is the interest group whose test it is, as sig-apps.
func (o outcome) sig() string {
	sig, _, _ := strings.Cut(strings.TrimPrefix(o.Name, "["), "]")
	return sig
}

// conformance says that the test belongs to the suite of every cluster.
func (o outcome) conformance() bool { return strings.Contains(o.Name, "[Conformance]") }

// title is the name without its labels.
func (o outcome) title() string { return strings.TrimSpace(label.ReplaceAllString(o.Name, "")) }

// merge is what is known after a run: its outcomes take the place of older ones of the same tests. A test that fails as before
// keeps its explanation.
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

// unexplained are the tests that fail without a word on why.
func unexplained(all []outcome) (names []string) {
	for _, o := range all {
		if !o.Passed && o.Why == "" {
			names = append(names, o.Name)
		}
	}
	return names
}
