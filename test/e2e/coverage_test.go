package e2e_test

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

// page is the catalogue of behaviours.
const page = "docs/BEHAVIOURS.md"

var (
	entry   = regexp.MustCompile(`(?m)^- \*\*([A-Z]+-[0-9]{3})\*\* `)
	numeral = regexp.MustCompile(`(?m)^\| ([CW]-[0-9]{2}) \| `)
	without = regexp.MustCompile(`(?m)^\| ([A-Z]+-[0-9]{3}) \| (.+) \|$`)
)

// catalogue is the page's contents: all behaviours, contradictions and examples, and why some
// behaviours have no test.
type catalogue struct {
	behaviours, examples map[string]bool
	exceptions           map[string]string
}

func readCatalogue(text string) catalogue {
	c := catalogue{behaviours: map[string]bool{}, examples: map[string]bool{}, exceptions: map[string]string{}}
	for _, match := range entry.FindAllStringSubmatch(text, -1) {
		c.behaviours[match[1]] = true
	}
	for _, match := range numeral.FindAllStringSubmatch(text, -1) {
		c.examples[match[1]] = true
	}
	_, table, _ := strings.Cut(text, "\n## Without a test\n")
	for _, match := range without.FindAllStringSubmatch(table, -1) {
		c.exceptions[match[1]] = match[2]
	}
	return c
}

func (c catalogue) hasPrefix(prefix string) bool { return c.behaviours[prefix+"-001"] }

// borne matches the number of a behaviour as in comments, RSC-016, and in names of tests,
// TestRSC016_RSC017.
var borne = regexp.MustCompile(`[A-Z]+-[0-9]+|(Test|_)[A-Z]+[0-9]+`)

// named returns the numbers in a text that look like the catalogue's, all in the form RSC-016.
func (c catalogue) named(text string) []string {
	var ids []string
	for _, found := range borne.FindAllString(text, -1) {
		found = strings.TrimPrefix(strings.TrimPrefix(found, "Test"), "_")
		digits := strings.IndexFunc(found, func(r rune) bool { return r >= '0' && r <= '9' })
		prefix := strings.TrimSuffix(found[:digits], "-")
		if c.hasPrefix(prefix) && len(found)-digits == 3 {
			ids = append(ids, prefix+"-"+found[digits:])
		}
	}
	return ids
}

func TestNamed(t *testing.T) {
	t.Parallel()
	c := readCatalogue("- **RSC-001** It is.\n- **DEP-001** So.\n- **GC-001** Is this.\n- **RS-001** And this.\n" +
		"| W-01 | An example |\n## Without a test\n| GC-001 | Nobody can see it |\n")
	const text = "func TestRSC016_RSC017_First(t) // DEP-001/DEP-002, GC-3, GC-0044, XRS-001, RS-001 to RS-003, HTTP-404, RS256"
	if diff := cmp.Diff([]string{"RSC-016", "RSC-017", "DEP-001", "DEP-002", "RS-001", "RS-003"}, c.named(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want := map[string]string{"GC-001": "Nobody can see it"}; !maps.Equal(want, c.exceptions) || !c.examples["W-01"] {
		t.Errorf("exceptions %v, examples %v", c.exceptions, c.examples)
	}
}

// example matches the number of a worked example or of a contradiction.
var example = regexp.MustCompile(`\b[CW]-[0-9]{2}\b`)

// TestCoverage checks that every behaviour of the catalogue has a test with its number, and that
// every number in a test has an entry there. With -v it prints where each is.
func TestCoverage(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	c := readCatalogue(string(text))
	if len(c.behaviours) < 500 || len(c.examples) < 90 || len(c.exceptions) == 0 {
		t.Fatalf("%s has %d behaviours, %d examples, %d exceptions", page, len(c.behaviours), len(c.examples), len(c.exceptions))
	}
	where := c.bearers(t, root)
	untested := 0
	for _, id := range slices.Sorted(maps.Keys(c.behaviours)) {
		t.Logf("%s %s", id, strings.Join(where[id], " "))
		why, excepted := c.exceptions[id]
		switch {
		case where[id] == nil && !excepted:
			t.Errorf("no test bears %s, and %s does not say why", id, page)
		case where[id] != nil && excepted:
			t.Errorf("%s is tested in %s: take it out of the table at the end of %s, which says %q", id, where[id], page, why)
		case excepted:
			untested++
		}
	}
	if said := fmt.Sprintf("These %d are not:", untested); !strings.Contains(string(text), said) {
		t.Errorf("%s does not say %q", page, said)
	}
	for id, files := range where {
		if !c.behaviours[id] && !c.examples[id] {
			t.Errorf("%s has no %s, which is in %s", page, id, strings.Join(files, ", "))
		}
	}
}

// bearers returns the test files that contain each number.
func (c catalogue) bearers(t *testing.T, root string) map[string][]string {
	t.Helper()
	where := map[string][]string{}
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
		said := filepath.Base(path) + "\n" + string(text)
		for _, id := range append(c.named(said), example.FindAllString(said, -1)...) {
			if !slices.Contains(where[id], file) {
				where[id] = append(where[id], file)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return where
}

// isTest reports whether a file holds tests: Go, the scripts of testscript, and stories. The list
// in this file does not count.
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
