package vfs

import (
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
)

// Flags say how a file is opened.
type Flags uint8

// The flags. ReadOnly is the absence of others.
const (
	ReadOnly  Flags = 0
	Write     Flags = 1 << iota
	Append          // every write goes to the end
	Create          // if it is missing
	Exclusive       // with Create: it must be missing
	Truncate        // to nothing
)

// File is an open file. Its fields are its state: it can be written as JSON and used again with the
// view that opened it.
type File struct {
	Path   string `json:"path"`
	Tree   string `json:"tree,omitempty"`
	Ino    Ino    `json:"ino,omitempty"`
	Flags  Flags  `json:"flags,omitempty"`
	Offset int64  `json:"offset,omitempty"`

	// Device is set for a special file. Devices that vfs does not know itself ("stdin", "stdout",
	// "stderr", "tty", …) and FIFOs ("fifo") are the caller's business; reading and writing them
	// here fails with ENXIO.
	Device string `json:"device,omitempty"`

	// Data is the content of a generated file at the time of Open.
	Data []byte `json:"data,omitempty"`
}

// Open opens a file, or creates one with the permissions in perm less the umask. As in Unix, a
// directory can be opened for reading; reading it fails with EISDIR.
func (v *View) Open(full string, flags Flags, perm uint32) (*File, error) {
	w, err := v.walk("open", full, flags&Exclusive == 0)
	if err != nil {
		return nil, err
	}
	if w.found {
		return v.openFound(w, full, flags)
	}
	if flags&Create == 0 {
		return nil, fail("open", full, ENOENT)
	}
	if w.slash {
		return nil, fail("open", full, EISDIR)
	}
	ino, err := v.make("open", full, w, &Node{Mode: ModeRegular | perm&ModePerm&^v.who.Umask, Links: 1})
	if err != nil {
		return nil, err
	}
	tree := w.last().tree
	tree.hold(ino)
	return &File{Path: w.path(), Tree: tree.Name, Ino: ino, Flags: flags}, nil
}

func (v *View) openFound(w walked, full string, flags Flags) (*File, error) {
	s := w.last()
	n := s.node()
	writes := flags&(Write|Append|Truncate) != 0
	right := uint32(4)
	if flags&(Write|Append) != 0 {
		right = 2
	}
	device := n.Device
	if n.kind() == ModeFIFO {
		device = "fifo"
	}
	switch {
	case flags&(Create|Exclusive) == Create|Exclusive:
		return nil, fail("open", full, EEXIST)
	case n.isDir() && (writes || flags&Create != 0):
		return nil, fail("open", full, EISDIR)
	case n.kind() == ModeSocket:
		return nil, fail("open", full, ENXIO)
	case !v.may(n, right):
		return nil, fail("open", full, EACCES)
	case writes && device == "" && s.readOnly:
		return nil, fail("open", full, EROFS)
	}
	f := &File{Path: s.path, Ino: s.ino, Flags: flags, Device: device}
	if s.made != nil {
		f.Data = slices.Clone(n.Data)
		return f, nil
	}
	f.Tree = s.tree.Name
	if flags&Truncate != 0 && n.isRegular() {
		own, err := s.change()
		if err == nil {
			err = s.tree.resize(own, 0)
		}
		if err != nil {
			return nil, fail("open", full, err.(Errno))
		}
		own.MTime = v.now.UnixNano()
	}
	s.tree.hold(s.ino)
	return f, nil
}

// Share adds a use of an open file, which needs a Close of its own.
func (v *View) Share(f *File) {
	if t := v.treeOf(f); t != nil {
		t.hold(f.Ino)
	}
}

// Close ends the use of a file. A file without a name is then removed.
func (v *View) Close(f *File) {
	if t := v.treeOf(f); t != nil {
		t.release(f.Ino)
	}
}

func (v *View) treeOf(f *File) *Tree {
	if f.Tree == "" {
		return nil
	}
	if v.Root.Tree == f.Tree {
		return v.Root.tree
	}
	for _, m := range v.Mounts {
		if m.Tree == f.Tree {
			return m.tree
		}
	}
	return nil
}

// Content returns the whole content of a regular or generated file. It must not be changed.
func (v *View) Content(f *File) []byte {
	if t := v.treeOf(f); t != nil {
		return t.content(t.node(f.Ino))
	}
	return f.Data
}

// FileInfo describes an open file.
func (v *View) FileInfo(f *File) Info {
	t := v.treeOf(f)
	if t == nil {
		return Info{Name: path.Base(f.Path), Ino: f.Ino, Mode: ModeRegular | 0o444, Links: 1, MTime: v.now, Device: f.Device}
	}
	return v.info(spot{path: f.Path, tree: t, ino: f.Ino}, path.Base(f.Path))
}

// Read reads from where the last Read or Write ended. At the end it returns io.EOF.
func (v *View) Read(f *File, p []byte) (int, error) {
	if f.Flags&(Write|Append) != 0 && f.Flags&readToo == 0 {
		return 0, fail("read", f.Path, EBADF)
	}
	if f.Device != "" {
		return v.readDevice(f, p)
	}
	if t := v.treeOf(f); t != nil && t.node(f.Ino).isDir() {
		return 0, fail("read", f.Path, EISDIR)
	}
	data := v.Content(f)
	if f.Offset >= int64(len(data)) {
		return 0, io.EOF
	}
	n := copy(p, data[f.Offset:])
	f.Offset += int64(n)
	return n, nil
}

// readToo marks a file that was opened for reading and writing.
const readToo = ReadWrite &^ Write

// ReadWrite opens a file for reading and writing.
const ReadWrite = Write | 1<<6

func (v *View) readDevice(f *File, p []byte) (int, error) {
	switch f.Device {
	case "null":
		return 0, io.EOF
	case "zero", "full":
		clear(p)
		return len(p), nil
	case "random", "urandom":
		v.Random(p)
		return len(p), nil
	}
	return 0, fail("read", f.Path, ENXIO)
}

// Random fills p with the next bytes of /dev/urandom, which the view's Seed and the number of calls
// decide.
func (v *View) Random(p []byte) {
	v.Draws++
	_, _ = rand.NewChaCha8(sha256.Sum256([]byte(v.Seed + " " + strconv.FormatUint(v.Draws, 10)))).Read(p)
}

// Write writes where the last Read or Write ended, or at the end of a file that was opened to
// append. If not everything fits, it writes what fits, returns how much that was, and fails with
// ENOSPC.
func (v *View) Write(f *File, p []byte) (int, error) {
	if f.Flags&(Write|Append) == 0 {
		return 0, fail("write", f.Path, EBADF)
	}
	if f.Device != "" {
		switch f.Device {
		case "null", "zero", "random", "urandom":
			return len(p), nil
		case "full":
			return 0, fail("write", f.Path, ENOSPC)
		}
		return 0, fail("write", f.Path, ENXIO)
	}
	t := v.treeOf(f)
	if t == nil {
		return 0, fail("write", f.Path, EBADF)
	}
	if len(p) == 0 {
		return 0, nil
	}
	n, err := t.change(f.Ino)
	if err != nil {
		return 0, fail("write", f.Path, err.(Errno))
	}
	t.settle(n)
	if f.Flags&Append != 0 {
		f.Offset = int64(len(n.Data))
	}
	p, short := t.fitting(n, f.Offset, p)
	if len(p) > 0 {
		end := f.Offset + int64(len(p))
		if end > int64(len(n.Data)) {
			if err := t.resize(n, end); err != nil {
				return 0, fail("write", f.Path, err.(Errno))
			}
		}
		copy(n.Data[f.Offset:], p)
		f.Offset = end
		n.MTime = v.now.UnixNano()
	}
	if short {
		return len(p), fail("write", f.Path, ENOSPC)
	}
	return len(p), nil
}

// Seek sets the offset of the next Read or Write.
func (v *View) Seek(f *File, offset int64) error {
	if offset < 0 {
		return fail("seek", f.Path, EINVAL)
	}
	f.Offset = offset
	return nil
}

// WriteFile replaces the content of a file with data. It creates a missing file with the
// permissions in perm less the umask.
func (v *View) WriteFile(full string, data []byte, perm uint32) error {
	f, err := v.Open(full, Write|Create|Truncate, perm)
	if err != nil {
		return err
	}
	defer v.Close(f)
	_, err = v.Write(f, data)
	return err
}

// AppendFile writes data at the end of a file. It creates a missing file.
func (v *View) AppendFile(full string, data []byte, perm uint32) error {
	f, err := v.Open(full, Append|Create, perm)
	if err != nil {
		return err
	}
	defer v.Close(f)
	_, err = v.Write(f, data)
	return err
}

// ReadFile returns the whole content of a file. It fails with EFBIG for a special file that has no
// end.
func (v *View) ReadFile(full string) ([]byte, error) {
	f, err := v.Open(full, ReadOnly, 0)
	if err != nil {
		return nil, err
	}
	defer v.Close(f)
	switch f.Device {
	case "":
		return v.Content(f), nil
	case "null":
		return nil, nil
	case "zero", "full", "random", "urandom":
		return nil, fail("read", full, EFBIG)
	}
	return nil, fail("read", full, ENXIO)
}
