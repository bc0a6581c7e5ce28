package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPage_IsCurrent: the page is what the command writes for the known outcomes.
func TestPage_IsCurrent(t *testing.T) {
	t.Parallel()
	all, err := known("outcomes.json")
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := writePage(&want, all); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../" + pageFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(got)); diff != "" {
		t.Errorf("%s is not current: go run ./test/conformance/report (-want +got):\n%s", pageFile, diff)
	}
	if names := unexplained(all); len(names) > 0 {
		t.Errorf("these fail without a reason:\n%s", strings.Join(names, "\n"))
	}
}

// TestReadReport takes the tests that ran to their end from a report, and nothing else.
func TestReadReport(t *testing.T) {
	t.Parallel()
	got, err := readReport(strings.NewReader(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5"><testsuite name="e2e" tests="5">
<testcase name="[SynchronizedBeforeSuite]" status="passed" time="1"></testcase>
<testcase name="[It] [sig-apps] A should [Conformance] [sig-apps, Conformance]" status="passed" time="1"></testcase>
<testcase name="[It] [sig-apps] B should [sig-apps]" status="failed" time="1"><failure message="no">no</failure></testcase>
<testcase name="[It] [sig-apps] C should [sig-apps]" status="skipped"><skipped message="skipped"></skipped></testcase>
<testcase name="[It] [sig-apps] D should [sig-apps]" status="interrupted" time="1"></testcase>
</testsuite></testsuites>`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]outcome{{Name: "[sig-apps] A should [Conformance]", Passed: true}, {Name: "[sig-apps] B should"}}, got); diff != "" {
		t.Errorf("the report (-want +got):\n%s", diff)
	}
	if _, err := readReport(strings.NewReader("<testsuites><testsuite>")); err == nil {
		t.Error("half a report was read without an error")
	}
}

// TestMerge: a newer outcome replaces an older one, and a reason stays only if the test still
// fails.
func TestMerge(t *testing.T) {
	t.Parallel()
	known := []outcome{{Name: "a", Why: "no exec"}, {Name: "b", Why: "no proxy"}, {Name: "c", Passed: true}}
	got := merge(known, []outcome{{Name: "b", Passed: true}, {Name: "a"}, {Name: "0"}})
	want := []outcome{{Name: "0"}, {Name: "a", Why: "no exec"}, {Name: "b", Passed: true}, {Name: "c", Passed: true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"0"}, unexplained(got)); diff != "" {
		t.Errorf("unexplained (-want +got):\n%s", diff)
	}
}

// TestOutcome_Titles: the page shows a test without its labels, under its interest group.
func TestOutcome_Titles(t *testing.T) {
	t.Parallel()
	o := outcome{Name: "[sig-apps] StatefulSet Basic StatefulSet functionality [StatefulSetBasic] should scale [Slow] [Conformance]"}
	if got := o.title(); got != "StatefulSet Basic StatefulSet functionality should scale" {
		t.Errorf("the title is %q", got)
	}
	if got := o.sig(); got != "sig-apps" || !o.conformance() {
		t.Errorf("the group is %q, of the suite: %v", got, o.conformance())
	}
}
