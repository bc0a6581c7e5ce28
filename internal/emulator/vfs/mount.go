package vfs

import (
	"path"
	"slices"
)

// Mount shows a tree, or its content at sub, at a path of the view, and creates the directories, or
// the empty file, that it covers. If sub is missing, a directory is created for it. As with a bind
// mount, the file at the sub path stays visible even when another file takes its name.
func (v *View) Mount(at string, tree *Tree, sub string, readOnly bool) error {
	inside := NewView(tree, "", v.now)
	if sub == "" {
		sub = "/"
	}
	w, err := inside.walk("mount", path.Join("/", sub), true)
	if err == nil && !w.found {
		if err = inside.MkdirAll(path.Join("/", sub), 0o755); err == nil {
			w, err = inside.walk("mount", path.Join("/", sub), true)
		}
	}
	if err != nil {
		return err
	}
	target := w.last()
	point, err := v.mountPoint(path.Join("/", at), target.node().isDir())
	if err != nil {
		return err
	}
	tree.hold(target.ino)
	v.Mounts = slices.DeleteFunc(v.Mounts, func(m Mount) bool { return m.Path == point })
	v.Mounts = append(v.Mounts, Mount{Path: point, Tree: tree.Name, Ino: target.ino, ReadOnly: readOnly, tree: tree})
	slices.SortFunc(v.Mounts, func(a, b Mount) int { return compare(a.Path, b.Path) })
	return nil
}

// mountPoint returns the covered path without links. It creates a missing path even on a read-only
// tree, as the container runtime does before the container starts.
func (v *View) mountPoint(at string, dir bool) (string, error) {
	if at == "/" {
		return "", fail("mount", at, EBUSY)
	}
	runtime := v.writable()
	w, err := runtime.walk("mount", at, true)
	switch {
	case err != nil && !isErrno(err, ENOENT):
		return "", err
	case err != nil || !w.found:
		if err := runtime.MkdirAll(path.Dir(at), 0o755); err != nil {
			return "", err
		}
		if dir {
			err = runtime.Mkdir(at, 0o755)
		} else {
			err = runtime.WriteFile(at, nil, 0o644)
		}
		if err != nil {
			return "", err
		}
		w, err = runtime.walk("mount", at, true)
		if err != nil {
			return "", err
		}
	}
	if w.last().node().isDir() != dir {
		return "", fail("mount", at, ENOTDIR)
	}
	return w.last().path, nil
}

// writable returns the view as the container runtime uses it: as root, and with nothing read-only.
func (v *View) writable() *View {
	s := *v.space
	s.Root.ReadOnly = false
	s.Mounts = slices.Clone(s.Mounts)
	for i := range s.Mounts {
		s.Mounts[i].ReadOnly = false
	}
	return &View{space: &s, who: Root, now: v.now}
}

// Release ends the view's hold on its trees, which outlive it: files that are mounted by a sub
// path.
func (v *View) Release() {
	for _, m := range v.Mounts {
		m.tree.release(m.Ino)
	}
	v.Mounts = nil
}

// Usage returns how many bytes the tree of a mount holds, and how many it may hold.
func (v *View) Usage(m Mount) (used, most int64) { return m.tree.bytes, m.tree.maxBytes() }
