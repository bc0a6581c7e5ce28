package vfs

import "time"

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
