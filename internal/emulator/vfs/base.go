package vfs

import (
	"fmt"
	"hash/fnv"
	"path"
	"strings"
	"time"
)

// Entry is one file of a Base.
type Entry struct {
	Path   string // absolute; parent directories need no entries of their own
	Mode   uint32 // with a type; 0 means a regular file of 0644
	UID    int
	GID    int
	Data   []byte
	Target string
	Device string
}

// Base holds the files of an image. It never changes, and is safe for concurrent use.
type Base struct {
	name  string
	nodes map[Ino]*Node
	bytes int64
}

// NewBase returns a Base of entries; if two have the same path, the later one counts. built is the
// modification time of every file. It fails for a path that is not absolute and clean, or that
// leads through a file that is not a directory.
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

// become changes a fresh or earlier node into what an entry describes.
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

// baseBit marks the numbers of a Base's files. Numbers stay below 2^53, so that every reader of
// JSON keeps them.
const baseBit Ino = 1 << 52

// number returns the number of a path in a Base. It depends only on the path, so that a tree that
// was stored over one version of an image still finds the files of the next.
func (b *Base) number(at string) Ino {
	h := fnv.New64a()
	_, _ = h.Write([]byte(at))
	ino := Ino(h.Sum64())&(baseBit-1) | baseBit
	for b.nodes[ino] != nil {
		ino = (ino+1)&(baseBit-1) | baseBit
	}
	return ino
}

// Name returns the name given to NewBase.
func (b *Base) Name() string { return b.name }
