package vfs

import "slices"

// Remove removes the name of a file that is not a directory (EISDIR).
func (v *View) Remove(full string) error {
	w, err := v.removable("remove", full)
	if err != nil {
		return err
	}
	if w.last().node().isDir() {
		return fail("remove", full, EISDIR)
	}
	return v.drop("remove", full, w)
}

// RemoveDir removes an empty directory.
func (v *View) RemoveDir(full string) error {
	w, err := v.removable("rmdir", full)
	if err != nil {
		return err
	}
	s := w.last()
	switch {
	case !s.node().isDir():
		return fail("rmdir", full, ENOTDIR)
	case !s.tree.empty(s.ino):
		return fail("rmdir", full, ENOTEMPTY)
	}
	return v.drop("rmdir", full, w)
}

// removable finds a name that can be removed.
func (v *View) removable(op, full string) (walked, error) {
	w, err := v.walk(op, full, false)
	if err != nil {
		return w, err
	}
	if !w.found {
		return w, fail(op, full, ENOENT)
	}
	s, dir := w.last(), w.dir()
	switch {
	case len(w.spots) == 1:
		return w, fail(op, full, EBUSY)
	case w.name == "":
		return w, fail(op, full, EINVAL)
	case v.busy(s.path):
		return w, fail(op, full, EBUSY)
	}
	if err := v.changeable(dir); err != nil {
		return w, fail(op, full, err.(Errno))
	}
	if n := dir.node(); n.Mode&ModeSticky != 0 && !v.owns(n) && !v.owns(s.node()) {
		return w, fail(op, full, EPERM)
	}
	return w, nil
}

// busy reports whether anything is mounted at a path or below it.
func (v *View) busy(at string) bool {
	under := func(p string) bool { return p == at || len(p) > len(at) && p[:len(at)] == at && p[len(at)] == '/' }
	if slices.ContainsFunc(v.Mounts, func(m Mount) bool { return under(m.Path) }) {
		return true
	}
	for p := range v.generators {
		if under(p) {
			return true
		}
	}
	return false
}

func (v *View) drop(op, full string, w walked) error {
	s, dir := w.last(), w.dir()
	if err := dir.tree.leave(dir.ino, w.name, v.now.UnixNano()); err != nil {
		return fail(op, full, err.(Errno))
	}
	s.tree.unlink(s.ino)
	return nil
}

// RemoveAll removes a file, or a directory with all its content. A missing file is not an error.
// RemoveAll stops at the first file that cannot be removed.
func (v *View) RemoveAll(full string) error {
	i, err := v.Lstat(full)
	if isErrno(err, ENOENT) {
		return nil
	}
	if err != nil {
		return err
	}
	if !i.IsDir() {
		return v.Remove(full)
	}
	entries, err := v.ReadDir(full)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := v.RemoveAll(join(full, e.Name)); err != nil {
			return err
		}
	}
	return v.RemoveDir(full)
}

// Rename gives a file another name. It replaces a file or an empty directory of that name.
func (v *View) Rename(old, full string) error {
	from, err := v.removable("rename", old)
	if err != nil {
		return err
	}
	to, err := v.walk("rename", full, false)
	if err != nil {
		return err
	}
	s, dir := from.last(), to.dir()
	if !to.found {
		dir = to.last()
	}
	switch {
	case to.found && to.name == "":
		return fail("rename", full, EBUSY)
	case dir.made != nil || s.tree != dir.tree || !v.sameMount(from.dir(), dir):
		return fail("rename", full, EXDEV)
	case s.node().isDir() && slices.ContainsFunc(to.spots, func(t spot) bool { return t.tree == s.tree && t.ino == s.ino }) &&
		!(to.found && to.last().ino == s.ino):
		return fail("rename", full, EINVAL)
	case to.slash && !s.node().isDir():
		return fail("rename", full, ENOTDIR)
	}
	if to.found {
		if to, err = v.removable("rename", full); err != nil {
			return err
		}
		over := to.last()
		switch {
		case over.ino == s.ino:
			return nil
		case over.node().isDir() && !s.node().isDir():
			return fail("rename", full, EISDIR)
		case !over.node().isDir() && s.node().isDir():
			return fail("rename", full, ENOTDIR)
		case over.node().isDir() && !over.tree.empty(over.ino):
			return fail("rename", full, ENOTEMPTY)
		}
	} else if err := v.changeable(dir); err != nil {
		return fail("rename", full, err.(Errno))
	}
	return v.rename(from, to, dir, full)
}

func (v *View) rename(from, to walked, dir spot, full string) error {
	s, now := from.last(), v.now.UnixNano()
	if err := s.tree.room(int64(len(from.name)+len(to.name)), 2); err != nil {
		return fail("rename", full, ENOSPC) // before either directory has changed
	}
	if err := s.tree.enter(dir.ino, to.name, s.ino, now); err != nil {
		return fail("rename", full, err.(Errno))
	}
	if err := s.tree.leave(from.dir().ino, from.name, now); err != nil {
		return fail("rename", full, err.(Errno))
	}
	if to.found {
		to.last().tree.unlink(to.last().ino)
	}
	return nil
}
