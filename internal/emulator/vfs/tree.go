package vfs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"strings"
	"time"
)

// The limits of a tree unless it is given others.
const (
	DefaultMaxBytes = 4 << 20
	DefaultMaxFiles = 10_000
)

// Entry is one file of a Base.
type Entry struct {
	Path   string // absolute; the directories above need no entries of their own
	Mode   uint32 // with a type; 0 stands for a regular file of 0644
	UID    int
	GID    int
	Data   []byte
	Target string
	Device string
}

// Base is the files of an image. It never changes, and is safe for use by many goroutines.
type Base struct {
	name  string
	nodes map[Ino]*Node
	bytes int64
}

// NewBase makes a Base of entries; of two with the same path the later one counts. Every file was last changed at built.
// It fails for a path that is not absolute and clean, or that goes through something that is no directory.
func NewBase(name string, built time.Time, entries []Entry) (*Base, error) {
	b := &Base{name: name, nodes: map[Ino]*Node{}}
	b.nodes[rootIno] = &Node{Mode: ModeDir | 0o755, MTime: built.UnixNano(), Links: 1, Entries: map[string]Ino{}}
	for _, e := range entries {
		if e.Path == "/" {
			b.nodes[rootIno].Mode, b.nodes[rootIno].UID, b.nodes[rootIno].GID = e.Mode, e.UID, e.GID
			continue
		}
		if !path.IsAbs(e.Path) || path.Clean(e.Path) != e.Path || len(e.Path) > maxPath {
			return nil, fmt.Errorf("base %s: path %q is not absolute and clean", name, e.Path)
		}
		if err := b.add(e, built); err != nil {
			return nil, fmt.Errorf("base %s: %w", name, err)
		}
	}
	return b, nil
}

func (b *Base) add(e Entry, built time.Time) error {
	dir, at := b.nodes[rootIno], ""
	names := strings.Split(e.Path[1:], "/")
	for i, name := range names {
		if len(name) > maxName {
			return fail("add", e.Path, ENAMETOOLONG)
		}
		at += "/" + name
		ino, known := dir.Entries[name]
		last := i == len(names)-1
		if !known {
			ino = b.number(at)
			dir.Entries[name] = ino
			b.nodes[ino] = &Node{Mode: ModeDir | 0o755, MTime: built.UnixNano(), Links: 1, Entries: map[string]Ino{}}
		}
		n := b.nodes[ino]
		if last {
			return n.become(e, b)
		}
		if !n.isDir() {
			return fail("add", e.Path, ENOTDIR)
		}
		dir = n
	}
	return nil
}

// become makes of a fresh or an earlier node what an entry says.
func (n *Node) become(e Entry, b *Base) error {
	if e.Mode == 0 {
		e.Mode = ModeRegular | 0o644
	}
	if e.Mode&ModeType != ModeDir {
		if len(n.Entries) > 0 {
			return fail("add", e.Path, EISDIR)
		}
		n.Entries = nil
	} else if n.Entries == nil {
		n.Entries = map[string]Ino{}
	}
	b.bytes += int64(len(e.Data)) - int64(len(n.Data))
	n.Mode, n.UID, n.GID, n.Data, n.Target, n.Device = e.Mode, e.UID, e.GID, e.Data, e.Target, e.Device
	return nil
}

// baseBit marks the numbers of a Base's files. Numbers stay below 2^53, so that any reader of JSON keeps them.
const baseBit Ino = 1 << 52

// number is the number of a path in a Base: it depends on the path, so that a tree which was stored over one version of
// an image still finds the files of the next.
func (b *Base) number(at string) Ino {
	h := fnv.New64a()
	_, _ = h.Write([]byte(at))
	ino := Ino(h.Sum64())&(baseBit-1) | baseBit
	for b.nodes[ino] != nil {
		ino = (ino+1)&(baseBit-1) | baseBit
	}
	return ino
}

// Name is the name that it was made with.
func (b *Base) Name() string { return b.name }

// Tree is one file system. Its exported fields are its state; the Base is given again after reading it from JSON, by
// SetBase.
type Tree struct {
	// Name tells the trees of one machine apart.
	Name string `json:"name"`

	// BaseName is the name of the Base below it; "" for none.
	BaseName string `json:"base,omitempty"`

	// MaxBytes and MaxFiles bound what it holds besides the Base; 0 stands for the defaults.
	MaxBytes int64 `json:"maxBytes,omitempty"`
	MaxFiles int   `json:"maxFiles,omitempty"`

	// Nodes are the files that differ from the Base.
	Nodes map[Ino]*Node `json:"nodes"`

	// Held says how often a file is open or mounted: such a file stays when its last name goes.
	Held map[Ino]int `json:"held,omitempty"`

	// Last is the highest number given to a file so far.
	Last Ino `json:"last"`

	base  *Base
	bytes int64 // the sum of the weights of Nodes

	maker Maker
	made  map[string][]byte // by maker, by the request
}

// NewTree makes a tree over a Base, or an empty one of mode 0755 if base is nil.
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

// Validate says what is wrong with a tree that another program may have written: nil for one that every walk comes to an end in. It
// needs the Base, and goes through all directories.
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

// entries are the names in a directory, the Base's included.
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

// SetBase gives a tree that was read from JSON the Base that BaseName tells.
func (t *Tree) SetBase(b *Base) { t.base = b }

// Bytes is how much it holds besides the Base.
func (t *Tree) Bytes() int64 { return t.bytes }

// Files is how many files it holds besides the Base.
func (t *Tree) Files() int { return len(t.Nodes) }

func (t *Tree) maxBytes() int64 { return cmp.Or(t.MaxBytes, DefaultMaxBytes) }
func (t *Tree) maxFiles() int   { return cmp.Or(t.MaxFiles, DefaultMaxFiles) }

// lost stands in for a file that a later version of the Base does not have any more.
var lost = &Node{Mode: ModeRegular, Links: 1}

// node is a file to look at; never to be changed. A number that leads nowhere gives an empty file.
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

// lower is the file as the Base has it; nil if it does not.
func (t *Tree) lower(ino Ino) *Node {
	if t.base == nil {
		return nil
	}
	return t.base.nodes[ino]
}

// find is the file of that name in a directory; 0 for none.
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

// names are the names in a directory, sorted.
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

// empty says whether no name is in a directory.
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

// directories is how many directories are in a directory, of how many names.
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

// change is a file to be changed: a copy of the Base's from the first change on. It fails with ENOSPC.
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

// room says with ENOSPC whether so much more does not fit.
func (t *Tree) room(bytes int64, files int) error {
	if bytes > t.maxBytes() || t.bytes+bytes > t.maxBytes() || len(t.Nodes)+files > t.maxFiles() {
		return ENOSPC
	}
	return nil
}

// enter puts a file into a directory under a name that is free or may be overwritten.
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

// leave takes a name out of a directory.
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

// add makes a file without a name.
func (t *Tree) add(n *Node) (Ino, error) {
	if err := t.room(n.weight(), 1); err != nil {
		return 0, err
	}
	t.Last++
	t.Nodes[t.Last] = n
	t.bytes += n.weight()
	return t.Last, nil
}

// unlink takes one of its names from a file, and forgets it with the last.
func (t *Tree) unlink(ino Ino) {
	n := t.Nodes[ino]
	if n == nil && t.Held[ino] > 0 {
		n, _ = t.change(ino) // without room for a copy, what is open goes on reading the Base
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

// resize makes room for the new content of a regular file, and makes it that long.
func (t *Tree) resize(n *Node, size int64) error {
	t.settle(n)
	more := size - int64(len(n.Data))
	if more > 0 {
		if err := t.room(more, 0); err != nil {
			return err
		}
	}
	t.bytes += more
	if more <= 0 {
		n.Data = n.Data[:size]
		return nil
	}
	n.Data = append(n.Data, make([]byte, more)...)
	return nil
}

func sortOdd(odd []oddEntry) {
	slices.SortFunc(odd, func(a, b oddEntry) int { return slices.Compare(a.Name, b.Name) })
}
