package vfs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"time"
)

// Cred is the user on whose behalf a View acts. The zero value is root with a umask of 0.
type Cred struct {
	UID    int
	GID    int
	Groups []int
	Umask  uint32
}

// Root is the superuser with the usual umask.
var Root = Cred{Umask: 0o022}

// Mount is a tree, or a part of one, below the root of a View.
type Mount struct {
	Path     string `json:"path"` // where it is mounted: absolute, clean, free of links
	Tree     string `json:"tree"` // the name of its tree
	Ino      Ino    `json:"ino"`  // the mounted directory or file of that tree
	ReadOnly bool   `json:"ro,omitempty"`

	tree *Tree
}

// Generator makes files that are not stored, such as those of /proc.
type Generator interface {
	// Generate returns the file of an absolute, clean path; false for none.
	Generate(path string) (Generated, bool)
}

// Generated is a file that a Generator made. It is a directory if it has Names, a link if it has a
// Target, a special file if it has a Device, and otherwise a regular file.
type Generated struct {
	Names  []string // in a directory; not nil even if the directory is empty
	Target string
	Device string
	Data   []byte
}

// View is what a container sees: trees mounted into each other. Its state is written as JSON; after
// reading, Bind sets its trees again.
type View struct {
	*space
	who   Cred
	now   time.Time
	meter func(units int64) // nil if work is not metered
}

// space is the part that all users of a view share.
type space struct {
	Root   Mount   `json:"root"`
	Mounts []Mount `json:"mounts,omitempty"` // by path

	// Seed decides the content of /dev/urandom, and Draws counts how often it was read.
	Seed  string `json:"seed,omitempty"`
	Draws uint64 `json:"draws,omitempty"`

	generators map[string]Generator
	work       int64 // since TakeWork
}

// NewView returns a view of a tree, as root.
func NewView(tree *Tree, seed string, now time.Time) *View {
	return &View{
		space: &space{Root: Mount{Path: "/", Tree: tree.Name, Ino: rootIno, tree: tree}, Seed: seed},
		who:   Root, now: now,
	}
}

// As returns the same view for a user at a time. The user owns new files and has its own
// permissions; changed content gets the time.
func (v *View) As(who Cred, now time.Time) *View {
	return &View{space: v.space, who: who, now: now, meter: v.meter}
}

// At returns the same view at a time.
func (v *View) At(now time.Time) *View { return v.As(v.who, now) }

// Who returns the user of the view.
func (v *View) Who() Cred { return v.who }

// Now returns the modification time for changed files.
func (v *View) Now() time.Time { return v.now }

// MarshalJSON implements json.Marshaler. It does not write the trees.
func (v *View) MarshalJSON() ([]byte, error) { return json.Marshal(v.space) }

// UnmarshalJSON implements json.Unmarshaler. The view cannot be used before Bind.
func (v *View) UnmarshalJSON(text []byte) error {
	v.space, v.who, v.now = &space{}, Root, time.Time{}
	return json.Unmarshal(text, v.space)
}

// Bind gives a view that was read from JSON the trees that it names. It fails if one is missing.
func (v *View) Bind(tree func(name string) *Tree) error {
	if v.Root.tree = tree(v.Root.Tree); v.Root.tree == nil {
		return fmt.Errorf("view: no tree %q", v.Root.Tree)
	}
	for i := range v.Mounts {
		m := &v.Mounts[i]
		if m.tree = tree(m.Tree); m.tree == nil {
			return fmt.Errorf("view: no tree %q for %s", m.Tree, m.Path)
		}
	}
	return nil
}

// Trees returns the trees in the view: the root's first, then by mount path.
func (v *View) Trees() []*Tree {
	trees := []*Tree{v.Root.tree}
	for _, m := range v.Mounts {
		if !slices.Contains(trees, m.tree) {
			trees = append(trees, m.tree)
		}
	}
	return trees
}

// Serve lets a Generator make every file at and below a path, which should exist as a directory. It
// is not part of the state: call it again for a view that was read from JSON.
func (v *View) Serve(at string, g Generator) { set(&v.generators, path.Clean(at), g) }

// MountOf returns the mount that contains a path without links.
func (v *View) MountOf(at string) Mount {
	for at = path.Clean(at); at != "/" && at != "."; at = path.Dir(at) {
		if m := v.mounted(at); m != nil {
			return *m
		}
	}
	return v.Root
}

func (v *View) mounted(at string) *Mount {
	if i, ok := slices.BinarySearchFunc(v.Mounts, at, func(m Mount, at string) int { return compare(m.Path, at) }); ok {
		return &v.Mounts[i]
	}
	return nil
}

func compare(a, b string) int { return cmp.Compare(a, b) }
