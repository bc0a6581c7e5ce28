// Command site makes a static site from the pages in Markdown (`make docs`). It needs no network,
// and the site needs no server.
package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"flag"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

//go:embed page.html
var frame string

func main() {
	root := flag.String("root", ".", "the repository's directory")
	out := flag.String("out", "bin/docs", "directory to write to, which is made anew")
	flag.Parse()
	if err := build(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// page is one page of the site.
type page struct {
	source, target string // paths with slashes, below the repository and below the site
	title          string
	body           template.HTML
	files          []string // what it shows or links besides pages, below the repository
}

// groups are the groups of the menu, in order: the pages of a directory, or single pages.
var groups = []struct{ Title, dir string }{
	{"Rowlock", ""}, {"Guide", "docs/guide"}, {"Reference", "docs"}, {"How it works", "docs/architecture"},
}

func build(root, out string) error {
	sources, err := sources(os.DirFS(root))
	if err != nil {
		return err
	}
	var pages []*page
	for _, source := range sources {
		p, err := render(root, source)
		if err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		pages = append(pages, p)
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	layout, err := template.New("page").Parse(frame)
	if err != nil {
		return err
	}
	for _, p := range pages {
		if err := write(layout, pages, p, root, out); err != nil {
			return fmt.Errorf("%s: %w", p.source, err)
		}
	}
	return nil
}

// sources returns the files of the pages: those for users at the root, and all below docs.
func sources(files fs.FS) (all []string, err error) {
	all = []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md"}
	err = fs.WalkDir(files, "docs", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" {
			all = append(all, name)
		}
		return err
	})
	return all, err
}

// targetOf returns the path of a source's page on the site.
func targetOf(source string) string {
	if source == "README.md" {
		return "index.html"
	}
	return strings.TrimSuffix(source, ".md") + ".html"
}

// render makes a page from a source in Markdown.
func render(root, source string) (*page, error) {
	markdown, err := os.ReadFile(filepath.Join(root, source))
	if err != nil {
		return nil, err
	}
	p := &page{source: source, target: targetOf(source)}
	m := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(html.WithUnsafe()), // for comments, as the pages are ours
	)
	document := m.Parser().Parse(text.NewReader(markdown), parser.WithContext(parser.NewContext(parser.WithIDs(&anchors{}))))
	err = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 1 && p.title == "" {
				p.title = string(n.Lines().Value(markdown))
			}
		case *ast.Link:
			n.Destination = p.follow(n.Destination)
		case *ast.Image:
			n.Destination = p.follow(n.Destination)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	err = m.Renderer().Render(&body, markdown, document)
	p.body = template.HTML(body.String()) //nolint:gosec // the pages are ours
	return p, err
}

// follow returns the target of a link on the site. It notes a target that is not a page.
func (p *page) follow(destination []byte) []byte {
	link, err := url.Parse(string(destination))
	if err != nil || link.Scheme != "" || link.Path == "" {
		return destination
	}
	target := path.Join(path.Dir(p.source), link.Path)
	if path.Ext(target) != ".md" {
		p.files = append(p.files, target)
		return destination
	}
	link.Path = relative(p.target, targetOf(target))
	return []byte(link.String())
}

// relative returns the relative link from one page of the site to another.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

// anchors gives headings the anchors that GitHub gives them.
type anchors struct{ seen map[string]int }

var punctuation = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// Generate returns the anchor of a heading.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	if a.seen == nil {
		a.seen = map[string]int{}
	}
	id := strings.ReplaceAll(strings.ToLower(punctuation.ReplaceAllString(string(value), "")), " ", "-")
	a.seen[id]++
	if n := a.seen[id]; n > 1 {
		return fmt.Appendf(nil, "%s-%d", id, n-1)
	}
	return []byte(id)
}

// Put does nothing, because no heading sets its own anchor.
func (a *anchors) Put([]byte) {}

// entry is a line of the menu.
type entry struct {
	Link, Title string
	Current     bool
}

type menu struct {
	Title   string
	Entries []entry
}

// menus returns the links from a page to all pages.
func menus(pages []*page, from *page) (all []menu) {
	for _, g := range groups {
		m := menu{Title: g.Title}
		for _, p := range pages {
			if strings.TrimSuffix(path.Dir(p.source), ".") == g.dir {
				m.Entries = append(m.Entries, entry{relative(from.target, p.target), p.title, p == from})
			}
		}
		if g.dir != "" {
			slices.SortFunc(m.Entries, func(a, b entry) int { return cmp.Compare(a.Title, b.Title) })
		}
		all = append(all, m)
	}
	return all
}

// write writes a page, and copies the files that it refers to.
func write(layout *template.Template, pages []*page, p *page, root, out string) error {
	target := filepath.Join(out, p.target)
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := layout.Execute(&text, map[string]any{"Title": p.title, "Body": p.body, "Menus": menus(pages, p)}); err != nil {
		return err
	}
	if err := os.WriteFile(target, text.Bytes(), 0o644); err != nil {
		return err
	}
	for _, name := range p.files {
		if err := copyFile(filepath.Join(root, name), filepath.Join(out, name)); err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies a file, or the files in a directory.
func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return listing(from, to)
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}

// listing makes a page for a directory that another page links to.
func listing(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	var page strings.Builder
	page.WriteString("<!doctype html>\n<meta charset=utf-8>\n<ul>\n")
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".md")
		if name != e.Name() {
			name += ".html"
		}
		fmt.Fprintf(&page, "<li><a href=%q>%s</a>\n", name, template.HTMLEscapeString(e.Name()))
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "index.html"), []byte(page.String()), 0o644)
}
