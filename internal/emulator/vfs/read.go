package vfs

import (
	"path"
	"slices"
	"time"
)

// Stat describes the file that a path leads to.
func (v *View) Stat(full string) (Info, error) { return v.stat("stat", full, true) }

// Lstat is Stat, but does not follow a link at the end.
func (v *View) Lstat(full string) (Info, error) { return v.stat("lstat", full, false) }

func (v *View) stat(op, full string, follow bool) (Info, error) {
	s, err := v.find(op, full, follow)
	if err != nil {
		return Info{}, err
	}
	return v.info(s, path.Base(full)), nil
}

func (v *View) info(s spot, name string) Info {
	n := s.node()
	i := Info{
		Name: name, Ino: s.ino, Mode: n.Mode, UID: n.UID, GID: n.GID, Size: n.size(), Links: n.Links,
		MTime: time.Unix(0, n.MTime).UTC(), Target: n.Target, Device: n.Device,
	}
	switch {
	case s.made != nil:
		i.MTime, i.Size = v.now.UTC(), 0
	case n.isDir():
		i.Tree = s.tree.Name
		i.Links = 2
		count, all := s.tree.directories(s.ino)
		i.Links += count
		v.work += int64(4 * all)
	default:
		i.Tree = s.tree.Name
	}
	return i
}

// Resolve returns the path of a file without links, ".." and doubled slashes. If the file is
// missing, its directory must exist.
func (v *View) Resolve(full string) (string, error) {
	w, err := v.walk("resolve", full, true)
	if err != nil {
		return "", err
	}
	return w.path(), nil
}

// Readlink returns the target of a symbolic link. It fails with EINVAL for any other file.
func (v *View) Readlink(full string) (string, error) {
	s, err := v.find("readlink", full, false)
	if err != nil {
		return "", err
	}
	if s.node().kind() != ModeLink {
		return "", fail("readlink", full, EINVAL)
	}
	return s.node().Target, nil
}

// Access fails with EACCES or EROFS if the user of the view lacks a right (4 read, 2 write, 1
// execute or search).
func (v *View) Access(full string, right uint32) error {
	s, err := v.find("access", full, true)
	if err != nil {
		return err
	}
	if !v.may(s.node(), right) {
		return fail("access", full, EACCES)
	}
	if right&2 != 0 && s.readOnly && s.node().Device == "" {
		return fail("access", full, EROFS)
	}
	return nil
}

// ReadDir returns the content of a directory, ordered by name, without "." and "..".
func (v *View) ReadDir(full string) ([]DirEntry, error) {
	s, err := v.find("readdir", full, true)
	if err != nil {
		return nil, err
	}
	n := s.node()
	if !n.isDir() {
		return nil, fail("readdir", full, ENOTDIR)
	}
	if !v.may(n, 4) {
		return nil, fail("readdir", full, EACCES)
	}
	var names []string
	if s.made != nil {
		for name := range n.Entries {
			names = append(names, name)
		}
		slices.Sort(names)
	} else {
		names = s.tree.names(s.ino)
	}
	v.bill(sorting(len(names)))
	entries := make([]DirEntry, 0, len(names))
	for _, name := range names {
		if child, ok := v.step(s, name, join(s.path, name)); ok {
			entries = append(entries, DirEntry{Name: name, Mode: child.node().Mode, Ino: child.ino})
		}
	}
	return entries, nil
}

// Kind returns the type of the file that a path leads to, one of the Mode constants; 0 if there is
// none. It is a cheap Stat.
func (v *View) Kind(full string, follow bool) uint32 {
	s, err := v.find("stat", full, follow)
	if err != nil {
		return 0
	}
	return s.node().kind()
}
