package behaviour_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sections are the prefixes of the behaviours that are in scope, and how many each has: POD-001 to POD-028 and so on.
var sections = map[string]int{"POD": 28, "RS": 31, "RSC": 40, "DEP": 93, "HPA": 9, "GC": 21, "INIT": 24, "JOB": 76, "TTL": 11, "CJ": 24, "RQ": 8, "DS": 31, "EPH": 12, "CLI": 39, "RC": 24, "STS": 42, "PDB": 20}

// exceptions are the behaviours that no test bears, and why. One that a test bears all the same is harmless: it is told
// of, so that it can be taken out.
var exceptions = map[string]string{
	"POD-013": "nothing can restart the emulated node agent: what it waits for is stored, and outlives every process",
	"POD-027": "static Pods have no API",
	"JOB-028": "says that nothing is to be asserted",
	"CJ-022":  "tells of a controller that is gone, and of how it was chosen",
	"RSC-010": "creations are one transaction, so they have no batches; RSC-011 is what can be seen of them",
	"RSC-027": "says that nothing is to be asserted",
	"RSC-028": "tells the history of the order of victims",
	"RSC-034": "needs stale reads: nothing is ever waited for, so no wait is abandoned",
	"RSC-037": "tells of a stall that reading and writing in one transaction does not have",
	"PDB-011": "names what is voluntary and what is not; PDB-002, PDB-009 and PDB-010 are what can be seen of it",
	"PDB-020": "follows from PDB-014 to PDB-018",
	"CLI-013": "says that nothing is to be asserted",
	"CLI-032": "needs attach",
	"EPH-010": "needs attach",
}

// inScope lists the behaviours that a test must bear.
func inScope() []string {
	var ids []string
	for _, prefix := range slices.Sorted(maps.Keys(sections)) {
		for n := range sections[prefix] {
			if id := fmt.Sprintf("%s-%03d", prefix, n+1); exceptions[id] == "" {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// borne matches the number of a behaviour as comments and names of tests spell it: RSC-016 or RSC016.
var borne = regexp.MustCompile(`[A-Z]+-?[0-9]+`)

// named finds the numbers in a text, all in the form RSC-016.
func named(text string) []string {
	var ids []string
	for _, found := range borne.FindAllString(text, -1) {
		digits := strings.IndexFunc(found, func(r rune) bool { return r >= '0' && r <= '9' })
		prefix := strings.TrimSuffix(found[:digits], "-")
		if _, ok := sections[prefix]; ok && len(found)-digits == 3 {
			ids = append(ids, prefix+"-"+found[digits:])
		}
	}
	return ids
}

func TestNamed(t *testing.T) {
	t.Parallel()
	const text = "func TestRSC016_First(t) // DEP-001/DEP-002, GC-3, GC-0044, XRS-001, RS-001 to RS-003, HTTP-404"
	if diff := cmp.Diff([]string{"RSC-016", "DEP-001", "DEP-002", "RS-001", "RS-003"}, named(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCoverage keeps every behaviour in scope with a test that bears its number. With -v it prints where each is.
func TestCoverage(t *testing.T) {
	t.Parallel()
	where := map[string][]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if hidden := strings.HasPrefix(e.Name(), ".") && path != root; hidden || e.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		if !isTest(path) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		for _, id := range named(string(text)) {
			if !slices.Contains(where[id], file) {
				where[id] = append(where[id], file)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range inScope() {
		if t.Logf("%s %s", id, strings.Join(where[id], " ")); where[id] == nil {
			t.Errorf("no test bears %s", id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(exceptions)) {
		t.Logf("%s is left out, as it %s %s", id, exceptions[id], strings.Join(where[id], " "))
	}
}

// isTest says whether a file holds tests: Go, the scripts of testscript, and stories. This file's list proves nothing.
func isTest(path string) bool {
	dir, file := filepath.Split(path)
	switch filepath.Ext(file) {
	case ".go":
		return strings.HasSuffix(file, "_test.go") && file != "coverage_test.go"
	case ".txt", ".txtar":
		return slices.Contains(strings.Split(filepath.ToSlash(dir), "/"), "testdata")
	}
	return false
}
