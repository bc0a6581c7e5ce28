package vfs

import (
	"errors"
	"hash/fnv"
	"slices"
	"strings"
)

func isErrno(err error, e Errno) bool {
	var have Errno
	return errors.As(err, &have) && have == e
}

// spot is a file of the view and its place: in a tree, or made by a Generator.
type spot struct {
	path     string // without links
	tree     *Tree
	ino      Ino
	readOnly bool

	gen  Generator
	made *Node // by a Generator
}

func (s spot) node() *Node {
	if s.made != nil {
		return s.made
	}
	return s.tree.node(s.ino)
}

// change returns the file for changing.
func (s spot) change() (*Node, error) {
	if s.readOnly || s.made != nil {
		return nil, EROFS
	}
	return s.tree.change(s.ino)
}

// walked is the result of a walk.
type walked struct {
	spots []spot // from the root to the file, or to the directory that it would be in
	name  string // the last element of the path; "" if it was "/", "." or ".."
	found bool
	slash bool // the path asked for a directory
}

func (w walked) last() spot { return w.spots[len(w.spots)-1] }

// dir returns the directory that has, or would have, the name.
func (w walked) dir() spot {
	if w.found && len(w.spots) > 1 {
		return w.spots[len(w.spots)-2]
	}
	return w.last()
}

// path returns the path, without links, of the file that was found or would be created.
func (w walked) path() string {
	if w.found {
		return w.last().path
	}
	return join(w.last().path, w.name)
}

func join(dir, name string) string {
	if dir == "/" {
		return "/" + name
	}
	return dir + "/" + name
}

// joinAlong is join on the way to full. It returns a part of full, unless the way leads through
// links or dots.
func joinAlong(full, dir, name string) string {
	if rest, ok := strings.CutPrefix(full, strings.TrimSuffix(dir, "/")); ok && strings.HasPrefix(rest, "/") && strings.HasPrefix(rest[1:], name) {
		return full[:len(full)-len(rest)+1+len(name)]
	}
	return join(dir, name)
}

// walk follows a path from the root. A missing last element is not an error. A link at the end is
// followed if follow is set or a slash comes after it.
func (v *View) walk(op, full string, follow bool) (walked, error) {
	var room [8]spot // in the caller's frame, as this function is inlined
	return v.walkOn(room[:0], op, full, follow)
}

// walkOn is walk, with room for the first spots.
func (v *View) walkOn(room []spot, op, full string, follow bool) (walked, error) {
	w := walked{spots: append(room, spot{path: "/", tree: v.Root.tree, ino: v.Root.Ino, readOnly: v.Root.ReadOnly})}
	if full == "" {
		return w, fail(op, full, ENOENT)
	}
	if len(full) >= maxPath {
		return w, fail(op, full, ENAMETOOLONG)
	}
	v.bill(4 + int64(len(full))/16)
	w.slash = strings.HasSuffix(full, "/")
	links := 0
	w.found = true
	for name, rest := firstOf(full); name != ""; name, rest = firstOf(rest) {
		last := rest == ""
		here := w.last()
		v.bill(5 + int64(len(here.path))/64)
		if err := v.enterable(here); err != nil {
			return w, fail(op, full, err.(Errno))
		}
		if len(name) > maxName {
			return w, fail(op, full, ENAMETOOLONG)
		}
		if w.name = name; name == "." || name == ".." {
			w.name = ""
			if name == ".." && len(w.spots) > 1 {
				w.spots = w.spots[:len(w.spots)-1]
			}
			continue
		}
		next, ok := v.step(here, name, joinAlong(full, here.path, name))
		if !ok {
			if w.found = false; last {
				return w, nil
			}
			return w, fail(op, full, ENOENT)
		}
		n := next.node()
		if n.kind() == ModeLink && (!last || follow || w.slash) {
			if links++; links > maxLinks {
				return w, fail(op, full, ELOOP)
			}
			if n.Target == "" {
				return w, fail(op, full, ENOENT)
			}
			if strings.HasPrefix(n.Target, "/") {
				w.spots, w.name = w.spots[:1], ""
			}
			v.bill(int64(len(n.Target)/16 + len(elements(rest))/8))
			rest = n.Target + "/" + rest
			continue
		}
		w.spots = append(w.spots, next)
	}
	if w.slash && !w.last().node().isDir() {
		return w, fail(op, full, ENOTDIR)
	}
	return w, nil
}

// firstOf splits a path after its first name, which is empty if the path has none.
func firstOf(p string) (name, rest string) {
	name, rest, _ = strings.Cut(strings.TrimLeft(p, "/"), "/")
	return name, strings.TrimLeft(rest, "/")
}

// elements returns the names in a path.
func elements(p string) []string {
	return slices.DeleteFunc(strings.Split(p, "/"), func(s string) bool { return s == "" })
}

// enterable returns an error if names cannot be looked up here.
func (v *View) enterable(s spot) error {
	n := s.node()
	if !n.isDir() {
		return ENOTDIR
	}
	if !v.may(n, 1) {
		return EACCES
	}
	return nil
}

// step looks a name up in a directory, whose path with the name is at.
func (v *View) step(dir spot, name, at string) (spot, bool) {
	if g := v.generators[at]; g != nil {
		return generated(at, g)
	}
	if m := v.mounted(at); m != nil {
		return spot{path: at, tree: m.tree, ino: m.Ino, readOnly: m.ReadOnly}, true
	}
	if dir.gen != nil {
		return generated(at, dir.gen)
	}
	ino := dir.tree.find(dir.ino, name)
	if ino == 0 {
		return spot{}, false
	}
	return spot{path: at, tree: dir.tree, ino: ino, readOnly: dir.readOnly}, true
}

func generated(at string, g Generator) (spot, bool) {
	made, ok := g.Generate(at)
	if !ok {
		return spot{}, false
	}
	n := &Node{Mode: ModeRegular | 0o444, Links: 1, Data: made.Data, Target: made.Target, Device: made.Device}
	h := fnv.New32a()
	_, _ = h.Write([]byte(at))
	s := spot{path: at, ino: Ino(h.Sum32()), readOnly: true, gen: g, made: n}
	switch {
	case made.Names != nil:
		n.Mode, n.Entries = ModeDir|0o555, map[string]Ino{}
		for _, name := range made.Names {
			n.Entries[name] = 1
		}
	case made.Target != "":
		n.Mode = ModeLink | 0o777
	case made.Device != "":
		n.Mode = ModeChar | 0o666
	}
	return s, true
}

// may reports whether the user of the view has a right (4 read, 2 write, 1 execute or search) to a
// file. Root has every right, except to execute a file that is not executable for any user.
func (v *View) may(n *Node, right uint32) bool {
	if v.who.UID == 0 {
		return right&1 == 0 || n.isDir() || n.Mode&0o111 != 0
	}
	bits := n.Mode
	switch {
	case n.UID == v.who.UID:
		bits >>= 6
	case n.GID == v.who.GID || slices.Contains(v.who.Groups, n.GID):
		bits >>= 3
	}
	return bits&right == right
}

// owns reports whether the user of the view may change what only the owner may.
func (v *View) owns(n *Node) bool { return v.who.UID == 0 || v.who.UID == n.UID }

// find is a walk to a file that must exist.
func (v *View) find(op, full string, follow bool) (spot, error) {
	w, err := v.walk(op, full, follow)
	if err != nil {
		return spot{}, err
	}
	if !w.found {
		return spot{}, fail(op, full, ENOENT)
	}
	return w.last(), nil
}
