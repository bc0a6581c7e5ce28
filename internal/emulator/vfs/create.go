package vfs

import "strings"

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
