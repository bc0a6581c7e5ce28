package vfs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// The default limits of a tree.
const (
	DefaultMaxBytes = 4 << 20
	DefaultMaxFiles = 10_000
)

// Tree is one file system. Its exported fields are its state; after reading it from JSON, SetBase
// sets its Base again.
type Tree struct {
	// Name identifies the tree in its machine.
	Name string `json:"name"`

	// BaseName is the name of the Base below it; "" for none.
	BaseName string `json:"base,omitempty"`

	// MaxBytes and MaxFiles bound what it holds besides the Base; 0 means the defaults.
	MaxBytes int64 `json:"maxBytes,omitempty"`
	MaxFiles int   `json:"maxFiles,omitempty"`

	// Nodes are the files that differ from the Base.
	Nodes map[Ino]*Node `json:"nodes"`

	// Held counts how often a file is open or mounted: such a file stays when its last name is
	// removed.
	Held map[Ino]int `json:"held,omitempty"`

	// Last is the highest number given to a file so far.
	Last Ino `json:"last"`

	base  *Base
	bytes int64 // the sum of the weights of Nodes

	maker Maker
	made  map[string][]byte // content from maker, by request
}

// NewTree returns a tree over a Base, or an empty tree of mode 0755 if base is nil.
func NewTree(name string, base *Base, now time.Time) *Tree {
	t := &Tree{Name: name, Nodes: map[Ino]*Node{}, Last: rootIno, base: base}
	if base != nil {
		t.BaseName = base.name
	} else {
		t.Nodes[rootIno] = &Node{Mode: ModeDir | 0o755, MTime: now.UnixNano(), Links: 1}
	}
	return t
}

// UnmarshalJSON implements json.Unmarshaler. A tree with a BaseName cannot be used before SetBase.
func (t *Tree) UnmarshalJSON(text []byte) error {
	type plain Tree
	var p plain
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	*t = Tree(p)
	if t.Nodes == nil {
		t.Nodes = map[Ino]*Node{}
	}
	for ino, n := range t.Nodes {
		if n == nil {
			return fmt.Errorf("tree %s: file %d is null", t.Name, ino)
		}
		t.bytes += n.weight()
	}
	return nil
}

// Validate returns what is wrong with a tree that another program may have written; nil if every
// walk in it ends. It needs the Base, and reads all directories.
func (t *Tree) Validate() error {
	const open, done = 1, 2
	state := map[Ino]int{}
	var visit func(dir Ino) error
	visit = func(dir Ino) error {
		state[dir] = open
		for name, ino := range t.entries(dir) {
			if t.node(ino).kind() != ModeDir || state[ino] == done {
				continue
			}
			if state[ino] == open {
				return fmt.Errorf("tree %s: the directory %q of %d leads back to %d", t.Name, name, dir, ino)
			}
			if err := visit(ino); err != nil {
				return err
			}
		}
		state[dir] = done
		return nil
	}
	for ino, n := range t.Nodes {
		if n.kind() == ModeDir && state[ino] == 0 {
			if err := visit(ino); err != nil {
				return err
			}
		}
	}
	return nil
}

// entries returns the names in a directory, including those of the Base.
func (t *Tree) entries(dir Ino) map[string]Ino {
	own, low := t.Nodes[dir], t.lower(dir)
	switch {
	case own == nil && low == nil:
		return nil
	case low == nil:
		return own.Entries
	case own == nil:
		return low.Entries
	}
	all := map[string]Ino{}
	for name, ino := range low.Entries {
		if !own.Gone[name] {
			all[name] = ino
		}
	}
	for name, ino := range own.Entries {
		all[name] = ino
	}
	return all
}

// SetBase gives a tree that was read from JSON the Base that BaseName names.
func (t *Tree) SetBase(b *Base) { t.base = b }

// Bytes returns how many bytes it holds besides the Base.
func (t *Tree) Bytes() int64 { return t.bytes }

// Files returns how many files it holds besides the Base.
func (t *Tree) Files() int { return len(t.Nodes) }

func (t *Tree) maxBytes() int64 { return cmp.Or(t.MaxBytes, DefaultMaxBytes) }
func (t *Tree) maxFiles() int   { return cmp.Or(t.MaxFiles, DefaultMaxFiles) }

// lost stands for a file that a later version of the Base no longer has.
var lost = &Node{Mode: ModeRegular, Links: 1}

// node returns a file for reading; it must not be changed. An unknown number gives an empty file.
func (t *Tree) node(ino Ino) *Node {
	if n := t.Nodes[ino]; n != nil {
		return n
	}
	if t.base != nil {
		if n := t.base.nodes[ino]; n != nil {
			return n
		}
	}
	return lost
}

// lower returns the file of the Base; nil if the Base does not have it.
func (t *Tree) lower(ino Ino) *Node {
	if t.base == nil {
		return nil
	}
	return t.base.nodes[ino]
}

// find returns the file of that name in a directory; 0 for none.
func (t *Tree) find(dir Ino, name string) Ino {
	own := t.Nodes[dir]
	if own != nil {
		if ino := own.Entries[name]; ino != 0 {
			return ino
		}
		if own.Gone[name] {
			return 0
		}
	}
	if low := t.lower(dir); low != nil {
		return low.Entries[name]
	}
	return 0
}

// names returns the names in a directory, sorted.
func (t *Tree) names(dir Ino) []string {
	own := t.Nodes[dir]
	var names []string
	if own != nil {
		for name := range own.Entries {
			names = append(names, name)
		}
	}
	if low := t.lower(dir); low != nil {
		for name := range low.Entries {
			if own == nil || own.Entries[name] == 0 && !own.Gone[name] {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// empty reports whether a directory is empty.
func (t *Tree) empty(dir Ino) bool {
	own := t.Nodes[dir]
	if own != nil && len(own.Entries) > 0 {
		return false
	}
	if low := t.lower(dir); low != nil {
		for name := range low.Entries {
			if own == nil || !own.Gone[name] {
				return false
			}
		}
	}
	return true
}

// directories returns how many of the names in a directory are directories, and how many names
// there are.
func (t *Tree) directories(dir Ino) (count, all int) {
	own := t.Nodes[dir]
	if own != nil {
		all += len(own.Entries)
		for _, ino := range own.Entries {
			if t.node(ino).isDir() {
				count++
			}
		}
	}
	if low := t.lower(dir); low != nil {
		all += len(low.Entries)
		for name, ino := range low.Entries {
			if (own == nil || own.Entries[name] == 0 && !own.Gone[name]) && t.node(ino).isDir() {
				count++
			}
		}
	}
	return count, all
}

// change returns a file for changing: a copy of the Base's file after the first change. It fails
// with ENOSPC.
func (t *Tree) change(ino Ino) (*Node, error) {
	if n := t.Nodes[ino]; n != nil {
		return n, nil
	}
	low := t.lower(ino)
	if low == nil {
		return nil, ENOENT
	}
	if err := t.room(int64(len(low.Data)+len(low.Target)), 1); err != nil {
		return nil, err
	}
	n := *low
	n.Data, n.Entries = slices.Clone(low.Data), nil
	t.Nodes[ino] = &n
	t.bytes += n.weight()
	return &n, nil
}

// room fails with ENOSPC if that much more does not fit.
func (t *Tree) room(bytes int64, files int) error {
	if bytes > t.maxBytes() || t.bytes+bytes > t.maxBytes() || len(t.Nodes)+files > t.maxFiles() {
		return ENOSPC
	}
	return nil
}

// enter adds a file to a directory under a name that is free or may be overwritten.
func (t *Tree) enter(dir Ino, name string, ino Ino, now int64) error {
	d, err := t.change(dir)
	if err != nil {
		return err
	}
	if d.Entries[name] == 0 {
		if err := t.room(int64(len(name)), 0); err != nil {
			return err
		}
		t.bytes += int64(len(name))
	}
	set(&d.Entries, name, ino)
	if d.Gone[name] {
		delete(d.Gone, name)
		t.bytes -= int64(len(name))
	}
	d.MTime = now
	return nil
}

// leave removes a name from a directory.
func (t *Tree) leave(dir Ino, name string, now int64) error {
	d, err := t.change(dir)
	if err != nil {
		return err
	}
	if d.Entries[name] != 0 {
		delete(d.Entries, name)
		t.bytes -= int64(len(name))
	}
	if low := t.lower(dir); low != nil && low.Entries[name] != 0 && !d.Gone[name] {
		set(&d.Gone, name, true)
		t.bytes += int64(len(name))
	}
	d.MTime = now
	return nil
}

// add adds a file without a name.
func (t *Tree) add(n *Node) (Ino, error) {
	if err := t.room(n.weight(), 1); err != nil {
		return 0, err
	}
	t.Last++
	t.Nodes[t.Last] = n
	t.bytes += n.weight()
	return t.Last, nil
}

// unlink removes one of a file's names, and the file with the last one.
func (t *Tree) unlink(ino Ino) {
	n := t.Nodes[ino]
	if n == nil && t.Held[ino] > 0 {
		n, _ = t.change(ino) // without room for a copy, open files continue to read the Base
	}
	if n != nil {
		n.Links--
		t.forget(ino)
	}
}

func (t *Tree) forget(ino Ino) {
	n := t.Nodes[ino]
	if n != nil && n.Links <= 0 && t.Held[ino] == 0 && ino != rootIno {
		t.bytes -= n.weight()
		delete(t.Nodes, ino)
	}
}

// hold keeps a file while it is open or mounted, and release undoes it.
func (t *Tree) hold(ino Ino) { set(&t.Held, ino, t.Held[ino]+1) }

func (t *Tree) release(ino Ino) {
	if t.Held[ino] > 1 {
		t.Held[ino]--
		return
	}
	delete(t.Held, ino)
	t.forget(ino)
}

// Maker makes the content for a request; nil if that is not possible yet. The same request always
// has the same content.
type Maker func(request []byte) []byte
