package main

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/rowlock/rowlock/internal/kind/builtin"
)

const root = "../.."

// TestGuideHasEverySetting: the guide's table of settings has every flag, with its environment
// variable and its default.
func TestGuideHasEverySetting(t *testing.T) {
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
	for line := range strings.Lines(document(t, "docs/guide/settings.md")) {
		if cells := strings.Split(line, "|"); len(cells) > 4 && strings.HasPrefix(line, "| `--") {
			got = append(got, strings.Join(strings.Fields(cells[1]+cells[2]+cells[3]), " "))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/guide/settings.md (-flags +page):\n%s", diff)
	}
	count := 0
	flags.VisitAll(func(*pflag.Flag) { count++ })
	if count != len(settings) {
		t.Errorf("%d of %d flags have an environment variable", len(settings), count)
	}
}

// TestGuideHasEveryKind: the guide names every kind that is served.
func TestGuideHasEveryKind(t *testing.T) {
	t.Parallel()
	_, list, _ := strings.Cut(document(t, "docs/guide/limits.md"), "\nServed: ")
	list, _, found := strings.Cut(list, ".")
	if !found {
		t.Fatal("docs/guide/limits.md does not list the kinds that are served")
	}
	named := map[string]bool{"Binding": true} // it is posted and never stored
	for _, k := range builtin.Catalogue().All() {
		named[k.Kind] = true
	}
	want := slices.Sorted(maps.Keys(named))
	got := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/guide/limits.md, kinds (-served +page):\n%s", diff)
	}
}

var (
	// quoted matches the text between backquotes in a line.
	quoted = regexp.MustCompile("`([^`\n]+)`")
	// link matches a link to another file of the repository or to a heading, heading a heading that
	// links may lead to.
	link    = regexp.MustCompile(`\]\(([\w./-]*)(?:#([^)\s]*))?\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
	// filePath matches a path of the repository, testName one of its tests.
	filePath = regexp.MustCompile(`^(\.?[a-z][\w.-]*/)+[\w.-]*$`)
	testName = regexp.MustCompile(`^Test\w+$`)
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// documents returns all pages in Markdown.
func documents(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && path != root
		if entry.IsDir() && (hidden || slices.Contains([]string{"node_modules", "testdata", "bin", "dist"}, entry.Name())) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			name, err := filepath.Rel(root, path)
			names = append(names, filepath.ToSlash(name))
			return err
		}
		return nil
	})
	if err != nil || len(names) < 40 {
		t.Fatalf("%d pages, %v", len(names), err)
	}
	return names
}

// TestDocumentsLinkToWhatExists: linked files and headings exist.
func TestDocumentsLinkToWhatExists(t *testing.T) {
	t.Parallel()
	for _, name := range documents(t) {
		for _, broken := range brokenLinks(os.DirFS(root), name, document(t, name)) {
			t.Error(broken)
		}
	}
}

// brokenLinks lists the links of a page that lead nowhere.
func brokenLinks(files fs.FS, name, text string) (broken []string) {
	prose := fenced.ReplaceAllString(text, "")
	for _, match := range link.FindAllStringSubmatch(prose, -1) {
		target := name
		if match[1] != "" {
			target = path.Join(path.Dir(name), match[1])
		}
		page, err := fs.ReadFile(files, target)
		if _, found := fs.Stat(files, target); found != nil {
			broken = append(broken, name+": there is no "+target)
			continue
		}
		if match[2] != "" && (err != nil || !slices.Contains(anchors(string(page)), match[2])) {
			broken = append(broken, name+": "+target+" has no heading #"+match[2])
		}
	}
	return broken
}

var (
	fenced      = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	punctuation = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors returns the link anchors of a page's headings.
func anchors(page string) (all []string) {
	for _, match := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
		text := strings.ToLower(punctuation.ReplaceAllString(match[1], ""))
		all = append(all, strings.ReplaceAll(text, " ", "-"))
	}
	return all
}

func TestBrokenLinks(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"docs/a.md": {Data: []byte("# Tom's house, and others\n```\n# no heading\n```\n")}}
	text := "[a](a.md) ![b](b.png) [c](a.md#toms-house-and-others) [d](a.md#no-heading) [e](../docs) [f](https://example.com/x) [g](#here)\n# Here\n" +
		"```sh\necho [h](c.md)\n```\n"
	want := []string{"docs/x.md: there is no docs/b.png", "docs/x.md: docs/a.md has no heading #no-heading"}
	files["docs/x.md"] = &fstest.MapFile{Data: []byte(text)}
	if diff := cmp.Diff(want, brokenLinks(files, "docs/x.md", text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDocumentsNameWhatExists: named files and tests exist.
func TestDocumentsNameWhatExists(t *testing.T) {
	t.Parallel()
	tests := testFunctions(t)
	for _, name := range documents(t) {
		for _, match := range quoted.FindAllStringSubmatch(document(t, name), -1) {
			what := match[1]
			switch {
			case testName.MatchString(what) && !tests[what]:
				t.Errorf("%s: there is no test %s", name, what)
			case filePath.MatchString(what) && (strings.HasPrefix(what, "web/src/") || strings.Contains(topDirs, "/"+strings.SplitN(what, "/", 2)[0]+"/")):
				if _, err := os.Stat(filepath.Join(root, what)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// topDirs are the beginnings of paths; other text with slashes is not a path of the repository.
const topDirs = "/api/cmd/deploy/docs/internal/migrations/rowlocktest/tools/"

// testFunctions returns the names of all tests of the repository.
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
