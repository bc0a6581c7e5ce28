package vfs

import (
	"slices"
	"strings"
	"time"
)

// make adds a new file under the name that a walk did not find.
func (v *View) make(op, full string, w walked, n *Node) (Ino, error) {
	dir := w.last()
	if err := v.changeable(dir); err != nil {
		return 0, fail(op, full, err.(Errno))
	}
	now := v.now.UnixNano()
	n.UID, n.GID, n.MTime = v.who.UID, v.who.GID, now
	if parent := dir.node(); parent.Mode&ModeSetGID != 0 {
		n.GID = parent.GID
		if n.isDir() {
			n.Mode |= ModeSetGID
		}
	}
	ino, err := dir.tree.add(n)
	if err == nil {
		if err = dir.tree.enter(dir.ino, w.name, ino, now); err != nil {
			n.Links = 0
			dir.tree.forget(ino)
		}
	}
	if err != nil {
		return 0, fail(op, full, err.(Errno))
	}
	return ino, nil
}

// changeable reports whether names can be added to a directory or removed.
func (v *View) changeable(dir spot) error {
	switch n := dir.node(); {
	case !n.isDir():
		return ENOTDIR
	case !v.may(n, 3):
		return EACCES
	case dir.readOnly:
		return EROFS
	}
	return nil
}

// Mkdir creates a directory.
func (v *View) Mkdir(full string, perm uint32) error {
	w, err := v.walk("mkdir", full, false)
	if w.found && err == nil || isErrno(err, ENOTDIR) && w.found && w.slash {
		return fail("mkdir", full, EEXIST)
	}
	if err != nil {
		return err
	}
	_, err = v.make("mkdir", full, w, &Node{Mode: ModeDir | perm&ModePerm&^v.who.Umask, Links: 1})
	return err
}

// MkdirAll creates a directory and its missing parents. An existing directory is not an error.
func (v *View) MkdirAll(full string, perm uint32) error {
	full = strings.TrimRight(full, "/")
	if full == "" {
		return nil
	}
	err := v.Mkdir(full, perm)
	if isErrno(err, ENOENT) {
		if err := v.MkdirAll(full[:strings.LastIndexByte(full, '/')+1], perm); err != nil {
			return err
		}
		err = v.Mkdir(full, perm)
	}
	if isErrno(err, EEXIST) {
		if i, failed := v.Stat(full); failed == nil && i.IsDir() {
			return nil
		}
	}
	return err
}

// Symlink creates a symbolic link to target.
func (v *View) Symlink(target, full string) error {
	if target == "" {
		return fail("symlink", full, ENOENT)
	}
	if len(target) >= maxPath {
		return fail("symlink", full, ENAMETOOLONG)
	}
	return v.mknod("symlink", full, &Node{Mode: ModeLink | 0o777, Links: 1, Target: target})
}

// Mkfifo creates a FIFO. Its reader and writer must handle the data themselves.
func (v *View) Mkfifo(full string, perm uint32) error {
	return v.mknod("mkfifo", full, &Node{Mode: ModeFIFO | perm&ModePerm&^v.who.Umask, Links: 1})
}

func (v *View) mknod(op, full string, n *Node) error {
	w, err := v.walk(op, full, false)
	if err != nil {
		return err
	}
	if w.found {
		return fail(op, full, EEXIST)
	}
	if w.slash {
		return fail(op, full, ENOENT)
	}
	_, err = v.make(op, full, w, n)
	return err
}

// Link gives a file another name in the same tree. A link at the end of old is not followed.
func (v *View) Link(old, full string) error {
	s, err := v.find("link", old, false)
	if err != nil {
		return err
	}
	w, err := v.walk("link", full, false)
	switch {
	case err != nil:
		return err
	case w.found:
		return fail("link", full, EEXIST)
	case s.node().isDir():
		return fail("link", old, EPERM)
	case w.slash:
		return fail("link", full, ENOENT)
	case s.tree != w.last().tree || s.made != nil || w.last().made != nil || !v.sameMount(s, w.last()):
		return fail("link", full, EXDEV)
	}
	if err := v.changeable(w.last()); err != nil {
		return fail("link", full, err.(Errno))
	}
	n, err := s.change()
	if err == nil {
		if err = s.tree.enter(w.last().ino, w.name, s.ino, v.now.UnixNano()); err == nil {
			n.Links++
		}
	}
	if err != nil {
		return fail("link", full, err.(Errno))
	}
	return nil
}

// sameMount reports whether two files belong to the same mount.
func (v *View) sameMount(a, b spot) bool { return v.MountOf(a.path).Path == v.MountOf(b.path).Path }

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

// Chmod sets the permissions of a file.
func (v *View) Chmod(full string, perm uint32) error {
	return v.alter("chmod", full, true, func(n *Node) error {
		if !v.owns(n) {
			return EPERM
		}
		n.Mode = n.Mode&ModeType | perm&ModePerm
		return nil
	})
}

// Chown sets the owner and group of a file; -1 leaves one unchanged. Only root may change the
// owner.
func (v *View) Chown(full string, uid, gid int, follow bool) error {
	return v.alter("chown", full, follow, func(n *Node) error {
		if v.who.UID != 0 && (uid >= 0 && uid != n.UID || n.UID != v.who.UID) {
			return EPERM
		}
		if uid >= 0 {
			n.UID = uid
		}
		if gid >= 0 {
			n.GID = gid
		}
		return nil
	})
}

// Chtimes sets the modification time of a file.
func (v *View) Chtimes(full string, at time.Time, follow bool) error {
	return v.alter("utimes", full, follow, func(n *Node) error {
		if !v.owns(n) && !v.may(n, 2) {
			return EACCES
		}
		n.MTime = at.UnixNano()
		return nil
	})
}

// Truncate sets the length of a regular file: it cuts the rest off or adds zeros.
func (v *View) Truncate(full string, size int64) error {
	if size < 0 {
		return fail("truncate", full, EINVAL)
	}
	f, err := v.Open(full, Write, 0)
	if err != nil {
		return err
	}
	defer v.Close(f)
	return v.Resize(f, size)
}

// Resize is Truncate of an open file.
func (v *View) Resize(f *File, size int64) error {
	t := v.treeOf(f)
	if t == nil || f.Device != "" {
		return fail("truncate", f.Path, EINVAL)
	}
	n, err := t.change(f.Ino)
	if err == nil {
		if err = t.resize(n, size); err == nil {
			n.MTime = v.now.UnixNano()
			return nil
		}
	}
	return fail("truncate", f.Path, err.(Errno))
}

func (v *View) alter(op, full string, follow bool, change func(*Node) error) error {
	s, err := v.find(op, full, follow)
	if err != nil {
		return err
	}
	own := *s.node()
	if err := change(&own); err != nil {
		return fail(op, full, err.(Errno))
	}
	n, err := s.change()
	if err != nil {
		return fail(op, full, err.(Errno))
	}
	n.Mode, n.UID, n.GID, n.MTime = own.Mode, own.UID, own.GID, own.MTime
	return nil
}
