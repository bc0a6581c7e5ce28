package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// module is the path of Rowlock's own packages.
const module = "github.com/rowlock/rowlock/"

// sources are the files that the rules check.
type sources struct {
	files []*file
	sql   map[string]string // the migrations' files, by path
	pages map[string]string // the architecture pages, by path
	texts map[string]string // every page and every SQL file that is written by hand, by path
}

// listed are the pages that programs write, or that list what Kubernetes' documentation says.
var listed = []string{"docs/BEHAVIOURS.md", "docs/CONFORMANCE.md"}

// file is one Go file.
type file struct {
	path, dir string
	test      bool
	generated bool
	lines     int
	fset      *token.FileSet
	ast       *ast.File
}

// open reads all Go files, migrations and architecture pages below root, except those that the go
// command ignores.
func open(root fs.FS) (sources, error) {
	s := sources{sql: map[string]string{}, pages: map[string]string{}, texts: map[string]string{}}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) || base == "testdata" || base == "node_modules" {
				return fs.SkipDir
			}
			return nil
		case path.Ext(name) == ".md", path.Ext(name) == ".sql":
			text, err := fs.ReadFile(root, name)
			s.keep(name, string(text))
			return err
		case path.Ext(name) == ".go":
			f, err := read(root, name)
			s.files = append(s.files, f)
			return err
		}
		return nil
	})
	return s, err
}

// keep sorts a page or SQL file in.
func (s sources) keep(name, text string) {
	switch dir := path.Dir(name); {
	case dir == "migrations":
		s.sql[name] = text
	case name == entryPage, dir == "docs/architecture":
		s.pages[name] = text
	}
	if !slices.Contains(listed, name) {
		s.texts[name] = text
	}
}

func read(root fs.FS, name string) (*file, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	f := &file{path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), fset: token.NewFileSet()}
	f.lines = bytes.Count(text, []byte("\n"))
	f.ast, err = parser.ParseFile(f.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err == nil {
		f.generated = ast.IsGenerated(f.ast)
	}
	return f, err
}

// at returns a place in the file, as in api/new.go:12.
func (f *file) at(p token.Pos) string { return f.path + ":" + strconv.Itoa(f.fset.Position(p).Line) }

// imports returns the file's imports by path, each with its local name.
func (f *file) imports() map[string]*ast.ImportSpec {
	all := map[string]*ast.ImportSpec{}
	for _, spec := range f.ast.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil {
			all[name] = spec
		}
	}
	return all
}

// support reports whether a package helps tests: one of its non-test files imports package testing.
func (s sources) support(dir string) bool {
	for _, f := range s.files {
		if f.dir == dir && !f.test && f.imports()["testing"] != nil {
			return true
		}
	}
	return false
}
