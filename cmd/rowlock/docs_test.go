package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/rowlock/rowlock/internal/kind"
)

const root = "../.."

// The README's table of settings has every flag, with its environment variable and its default.
func TestREADMEHasEverySetting(t *testing.T) {
	t.Parallel()
	var c config
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	c.flags(flags)
	var want []string
	for _, s := range settings {
		f := flags.Lookup(s.flag)
		if def := strings.Trim(f.DefValue, "[]"); def != "" {
			want = append(want, "`--"+s.flag+"` `"+s.variable+"` `"+def+"`")
		} else {
			want = append(want, "`--"+s.flag+"` `"+s.variable+"`")
		}
	}
	var got []string
	for line := range strings.Lines(document(t, "README.md")) {
		if cells := strings.Split(line, "|"); len(cells) > 4 && strings.HasPrefix(line, "| `--") {
			got = append(got, strings.Join(strings.Fields(cells[1]+cells[2]+cells[3]), " "))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the README's settings (-flags +README):\n%s", diff)
	}
	count := 0
	flags.VisitAll(func(*pflag.Flag) { count++ })
	if count != len(settings) {
		t.Errorf("%d of %d flags have an environment variable", len(settings), count)
	}
}

// The README names every kind that is served.
func TestREADMEHasEveryKind(t *testing.T) {
	t.Parallel()
	_, list, _ := strings.Cut(document(t, "README.md"), "**Kinds.** Served: ")
	list, _, found := strings.Cut(list, ".")
	if !found {
		t.Fatal("the README does not list the kinds that are served")
	}
	named := map[string]bool{"Binding": true} // which is posted and never stored
	for _, k := range kind.Default().All() {
		named[k.Kind] = true
	}
	want := slices.Sorted(maps.Keys(named))
	got := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the README's kinds (-served +README):\n%s", diff)
	}
}

var (
	// quoted is what stands between backquotes in a line.
	quoted = regexp.MustCompile("`([^`\n]+)`")
	// link is a link to another file of the repository.
	link = regexp.MustCompile(`\]\(([\w./-]+)(?:#[\w-]*)?\)`)
	// filePath is a path of the repository, testName a test of it.
	filePath = regexp.MustCompile(`^(\.?[a-z][\w.-]*/)+[\w.-]*$`)
	testName = regexp.MustCompile(`^Test\w+$`)
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// Files and tests that the documents name, and files that they link to, exist.
func TestDocumentsNameWhatExists(t *testing.T) {
	t.Parallel()
	tests := testFunctions(t)
	names := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/ARCHITECTURE.md", "docs/BENCHMARKS.md", "docs/guide/operators.md"}
	pages, err := os.ReadDir(filepath.Join(root, "docs/architecture"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		names = append(names, "docs/architecture/"+page.Name())
	}
	for _, name := range names {
		for _, match := range link.FindAllStringSubmatch(document(t, name), -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), match[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, match := range quoted.FindAllStringSubmatch(document(t, name), -1) {
			what := match[1]
			switch {
			case testName.MatchString(what) && !tests[what]:
				t.Errorf("%s: there is no test %s", name, what)
			case filePath.MatchString(what) && (strings.HasPrefix(what, "web/src/") || strings.Contains(topFolders, "/"+strings.SplitN(what, "/", 2)[0]+"/")):
				if _, err := os.Stat(filepath.Join(root, what)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// topFolders are where paths begin; what else has slashes is no path of the repository.
const topFolders = "/api/cmd/deploy/docs/internal/migrations/rowlocktest/tools/"

// testFunctions are the names of all tests of the repository.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, match := range testFunc.FindAllSubmatch(source, -1) {
			names[string(match[1])] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
