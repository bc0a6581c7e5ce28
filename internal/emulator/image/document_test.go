package image

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/profile"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the table of images in docs/IMAGES.md")

const documentFile = "../../../docs/IMAGES.md"

// The table in the docs has every built-in image. Run with -rewrite to write it.
func TestDocument_HasEveryImage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(documentFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opens := strings.Cut(string(text), "<!-- images -->\n")
	table, after, closes := strings.Cut(rest, "<!-- /images -->\n")
	if !opens || !closes {
		t.Fatal("the table has no beginning or no end")
	}
	want := imageTable()
	if *rewrite {
		if err := os.WriteFile(documentFile, []byte(before+"<!-- images -->\n"+want+"<!-- /images -->\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(table, "\n")); diff != "" {
		t.Errorf("the table of images (-catalogue +document):\n%s", diff)
	}
}

func imageTable() string {
	models := Known()
	slices.SortFunc(models, func(a, b Model) int { return strings.Compare(a.Repository, b.Repository) })
	var b strings.Builder
	b.WriteString("\n| repository | its own program | ports | tags that do not exist |\n| --- | --- | --- | --- |\n")
	for _, m := range models {
		var ports, missing []string
		for _, port := range m.Ports {
			ports = append(ports, fmt.Sprint(port))
		}
		for _, tag := range m.MissingTags {
			if !slices.Contains(neverTagged, tag) {
				missing = append(missing, "`"+tag+"`")
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", strings.TrimPrefix(m.Repository, "docker.io/library/"), m.About, strings.Join(ports, ", "), strings.Join(missing, " "))
	}
	return b.String() + "\n"
}

// The tools that the page names are emulated.
func TestDocument_Tools(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(documentFile)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "<!-- tools -->\n")
	list, _, ok := strings.Cut(rest, "<!-- /tools -->")
	if !ok {
		t.Fatal("the list of tools has no end")
	}
	names := strings.Fields(strings.ReplaceAll(list, "`", " "))
	if len(names) < 100 {
		t.Errorf("only %d tools are named", len(names))
	}
	for _, name := range names {
		if kernel.Provided(name) == nil {
			t.Errorf("%s is not emulated", name)
		}
	}
}

// The page names every annotation and every distribution.
func TestDocument_HasEveryName(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(documentFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range profile.Names {
		if !strings.Contains(string(text), "\n| `"+profile.Prefix+name+"` |") {
			t.Errorf("the annotation %s is not there", name)
		}
	}
	for _, d := range append(Distributions(), "scratch") {
		if !strings.Contains(string(text), "\n| `"+string(d)+"` |") {
			t.Errorf("the distribution %s is not there", d)
		}
	}
}
