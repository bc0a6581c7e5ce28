package vfs_test

import (
	"errors"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// model is a file tree as a map: paths to contents; a directory is "/".
type model map[string]string

const aDir = "/"

func (m model) parentIsDir(p string) bool { return m[path.Dir(p)] == aDir }

func (m model) below(p string) (all []string) {
	for q := range m {
		if strings.HasPrefix(q, p+"/") {
			all = append(all, q)
		}
	}
	return all
}

func (m model) write(p, text string) bool {
	if !m.parentIsDir(p) || m[p] == aDir {
		return false
	}
	m[p] = text
	return true
}

func (m model) mkdir(p string) bool {
	if _, known := m[p]; known || !m.parentIsDir(p) {
		return false
	}
	m[p] = aDir
	return true
}

func (m model) remove(p string) bool {
	if text, known := m[p]; !known || text == aDir {
		return false
	}
	delete(m, p)
	return true
}

func (m model) rmdir(p string) bool {
	if m[p] != aDir || len(m.below(p)) > 0 {
		return false
	}
	delete(m, p)
	return true
}

func (m model) removeAll(p string) bool {
	for q := p; q != "/"; q = path.Dir(q) { // no path leads through a file
		if parent, known := m[path.Dir(q)]; known && parent != aDir {
			return false
		}
	}
	for _, q := range m.below(p) {
		delete(m, q)
	}
	delete(m, p)
	return true
}

func (m model) rename(from, to string) bool {
	text, known := m[from]
	over, taken := m[to]
	switch {
	case !known || !m.parentIsDir(to) || strings.HasPrefix(to, from+"/"):
		return false
	case from == to:
		return true
	case taken && (text == aDir) != (over == aDir), taken && len(m.below(to)) > 0:
		return false
	}
	for _, q := range m.below(from) {
		m[to+strings.TrimPrefix(q, from)] = m[q]
		delete(m, q)
	}
	delete(m, from)
	m[to] = text
	return true
}

// all returns the content of a view below a directory, as a model.
func all(t rapid.TB, v *vfs.View, dir string, into model) model {
	entries, err := v.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		p := path.Join(dir, e.Name)
		if e.IsDir() {
			into[p] = aDir
			all(t, v, p, into)
			continue
		}
		data, err := v.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		into[p] = string(data)
	}
	return into
}

// A view behaves like a map of paths, over a base, with its state written and read back between any
// two operations.
func TestModel(t *testing.T) {
	t.Parallel()
	base, err := vfs.NewBase("base", noon, []vfs.Entry{{Path: "/a/b", Data: []byte("base")}, {Path: "/c", Data: []byte("base")}, {Path: "/b/a/c", Data: []byte("base")}})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		v := vfs.NewView(vfs.NewTree("root", base, noon), "", noon)
		m := model{"/": aDir, "/a": aDir, "/a/b": "base", "/c": "base", "/b": aDir, "/b/a": aDir, "/b/a/c": "base"}
		paths := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 3), func(names []string) string { return "/" + strings.Join(names, "/") })
		for i := range rapid.IntRange(1, 30).Draw(rt, "operations") {
			p, q := paths.Draw(rt, "path"), paths.Draw(rt, "other")
			operation := rapid.SampledFrom([]string{"write", "mkdir", "remove", "rmdir", "removeAll", "rename", "store"}).Draw(rt, "operation")
			var want bool
			var err error
			switch operation {
			case "write":
				text := "text " + strconv.Itoa(i)
				want, err = m.write(p, text), v.WriteFile(p, []byte(text), 0o644)
			case "mkdir":
				want, err = m.mkdir(p), v.Mkdir(p, 0o755)
			case "remove":
				want, err = m.remove(p), v.Remove(p)
			case "rmdir":
				want, err = m.rmdir(p), v.RemoveDir(p)
			case "removeAll":
				want, err = m.removeAll(p), v.RemoveAll(p)
			case "rename":
				want, err = m.rename(p, q), v.Rename(p, q)
			case "store":
				want, v = true, again(t, v, base)
			}
			if want != (err == nil) {
				rt.Fatalf("%s %s %s: %v, want success %v", operation, p, q, err, want)
			}
			if diff := cmp.Diff(m, all(rt, v, "/", model{"/": aDir})); diff != "" {
				rt.Fatalf("after %s %s %s (-want +got):\n%s", operation, p, q, diff)
			}
		}
		tree := v.Trees()[0]
		if err := v.RemoveAll("/a"); err == nil {
			_ = v.RemoveAll("/b")
			_ = v.RemoveAll("/c")
		}
		if tree.Files() > 1 || tree.Bytes() > 3 { // the root, with the removed names of the base
			rt.Fatalf("when all is gone the tree still holds %d files and %d bytes", tree.Files(), tree.Bytes())
		}
	})
}

// No path makes resolution panic, leave the tree or fail with anything but an Errno; and the result
// of Resolve resolves to itself.
func FuzzPath(f *testing.F) {
	for _, p := range []string{"", "/", "//a/./../b/", "/l/l/l", "/up/up/x", "/loop/x", "a", "/dangling", strings.Repeat("/x", 3000), "/\x00"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		v := newView(t)
		for _, l := range [][2]string{{"/", "/l"}, {"../../..", "/tmp/up"}, {"loop/", "/loop"}, {"nowhere/x", "/dangling"}, {"tmp/up/etc", "/deep"}} {
			must(t, v.Symlink(l[0], l[1]))
		}
		must(t, v.Mount("/mnt", vfs.NewTree("other", nil, noon), "", false))
		at, err := v.Resolve(p)
		var e vfs.Errno
		if err != nil {
			if !errors.As(err, &e) {
				t.Fatalf("%q: %v", p, err)
			}
			return
		}
		if path.Clean(at) != at || !path.IsAbs(at) {
			t.Fatalf("%q resolves to %q", p, at)
		}
		if len(at) >= 4096 {
			return
		}
		if twice, err := v.Resolve(at); err != nil || twice != at {
			t.Fatalf("%q resolves to %q, and that to %q, %v", p, at, twice, err)
		}
		_ = v.WriteFile(p, []byte("x"), 0o644)
		_ = v.MkdirAll(p, 0o755)
		_ = v.Rename(p, "/mnt/x")
		_ = v.RemoveAll(p)
	})
}

// The package imports nothing that reaches the host.
func TestImports(t *testing.T) {
	t.Parallel()
	allowed := []string{
		"cmp", "crypto/sha256", "encoding/binary", "encoding/json", "errors", "fmt", "hash/fnv", "io", "io/fs", "math/bits", "math/rand/v2", "path", "slices", "strconv", "strings", "time", "unicode/utf8",
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			seen[name] = true
			if !slices.Contains(allowed, name) {
				t.Errorf("%s imports %s", file.Name(), name)
			}
		}
	}
	if !seen["encoding/json"] {
		t.Errorf("only %v are imported: was anything read?", slices.Sorted(maps.Keys(seen)))
	}
}
