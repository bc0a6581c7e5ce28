package main

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	reference = regexp.MustCompile(`(?:href|src)="([^"]+)"`)
	anchor    = regexp.MustCompile(` id="([^"]+)"`)
)

// The site is complete: everything that its pages link to or show exists.
func TestSite(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	if err := build("../..", out); err != nil {
		t.Fatal(err)
	}
	site := os.DirFS(out)
	pages, references := 0, 0
	err := fs.WalkDir(site, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" || path.Base(name) == "index.html" && name != "index.html" {
			return err
		}
		pages++
		text, err := fs.ReadFile(site, name)
		if err != nil {
			return err
		}
		for _, match := range reference.FindAllStringSubmatch(string(text), -1) {
			references++
			if problem := broken(site, name, match[1]); problem != "" {
				t.Errorf("%s: %s: %s", name, match[1], problem)
			}
		}
		return nil
	})
	if err != nil || pages < 40 || references < 1000 {
		t.Errorf("%d pages with %d references, %v", pages, references, err)
	}
}

// broken returns what is wrong with a reference in a page, "" for nothing.
func broken(site fs.FS, page, to string) string {
	link, err := url.Parse(to)
	if err != nil {
		return err.Error()
	}
	if link.Scheme != "" {
		return ""
	}
	target := page
	if link.Path != "" {
		target = path.Join(path.Dir(page), link.Path)
	}
	info, err := fs.Stat(site, target)
	if err != nil {
		return "is not on the site"
	}
	if link.Fragment == "" || info.IsDir() {
		return ""
	}
	text, err := fs.ReadFile(site, target)
	if err != nil {
		return err.Error()
	}
	for _, match := range anchor.FindAllStringSubmatch(string(text), -1) {
		if match[1] == link.Fragment {
			return ""
		}
	}
	return "has no such heading"
}

// Headings have the anchors that GitHub gives them.
func TestAnchors(t *testing.T) {
	t.Parallel()
	a := &anchors{}
	for _, tt := range []struct{ heading, want string }{
		{"Tom's house, and others", "toms-house-and-others"}, {"`--at` and Zürich", "--at-and-zürich"}, {"Two", "two"}, {"Two", "two-1"},
	} {
		if got := string(a.Generate([]byte(tt.heading), 0)); got != tt.want {
			t.Errorf("%q is called %q, want %q", tt.heading, got, tt.want)
		}
	}
	if strings.Contains(relative("docs/guide/a.html", "index.html"), "//") || relative("docs/guide/a.html", "index.html") != "../../index.html" {
		t.Errorf("relative = %q", relative("docs/guide/a.html", "index.html"))
	}
}
