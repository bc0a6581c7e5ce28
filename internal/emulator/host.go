package emulator

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// The kinds of files in HostFile.Mode, with the numbers of Unix. ModeType masks them.
const (
	ModeType    = vfs.ModeType
	ModeRegular = vfs.ModeRegular
	ModeDir     = vfs.ModeDir
	ModeChar    = vfs.ModeChar
	ModeBlock   = vfs.ModeBlock
	ModeSocket  = vfs.ModeSocket
)

// HostFile is a file of the Pod's node in one of the Pod's volumes.
type HostFile struct {
	Path     string // in the volume, without a leading slash; "" is the volume itself
	Mode     uint32 // with the type
	UID, GID int
	Data     []byte // for a symbolic link, its target

	// Removed says that the file no longer exists; then only Path counts.
	Removed bool
}

// hostFileLimit is the size in bytes above which a file is not copied to the node.
const hostFileLimit = 1 << 20

// digest identifies a file's content, mode and owner, for comparisons.
func (f *HostFile) digest() string {
	head := binary.BigEndian.AppendUint64(nil, uint64(f.Mode))
	head = binary.BigEndian.AppendUint64(head, uint64(f.UID))
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(head, uint64(f.GID)), f.Data...))
	return hex.EncodeToString(sum[:12])
}

// ReadHost implements Runtime. Files that changed on the node since the last call change in the
// volume, unless the Pod changed the same file meanwhile: then the Pod's version stays.
func (m *machine) ReadHost(at time.Time, name string, files []HostFile) (changed bool) {
	m.Kernel.Advance(at)
	v := m.volume(name)
	if v.Host == nil {
		v.Host, changed = map[string]string{}, true
	}
	view := vfs.NewView(v.Tree, "", m.Now()).As(vfs.Cred{}, m.Now())
	there := make(map[string]bool, len(files))
	for i := range files {
		f := &files[i]
		there[f.Path] = true
		d := f.digest()
		if d == v.Host[f.Path] {
			continue
		}
		if now := hostFile(view, f.Path); now == nil && v.Host[f.Path] == "" || now != nil && now.digest() == v.Host[f.Path] || f.Path == "" {
			if place(view, f) != nil {
				continue // no room: the volume does without the file
			}
		}
		v.Host[f.Path], changed = d, true
	}
	for _, gone := range slices.Sorted(maps.Keys(v.Host)) {
		if there[gone] || gone == "" {
			continue
		}
		if now := hostFile(view, gone); now != nil && now.digest() == v.Host[gone] {
			_ = view.RemoveAll("/" + gone) // the node has removed everything below it as well
		}
		delete(v.Host, gone)
		changed = true
	}
	return changed
}

// place writes a file.
func place(view *vfs.View, f *HostFile) error {
	full := "/" + f.Path
	now := hostFile(view, f.Path)
	if now != nil && now.Mode&vfs.ModeType != f.Mode&vfs.ModeType {
		if err := view.RemoveAll(full); err != nil {
			return err
		}
	}
	if err := view.MkdirAll(path.Dir(full), 0o755); err != nil {
		return err
	}
	switch f.Mode & vfs.ModeType {
	case vfs.ModeDir:
		if err := view.MkdirAll(full, 0o755); err != nil {
			return err
		}
	case vfs.ModeLink:
		if now != nil {
			if err := view.Remove(full); err != nil {
				return err
			}
		}
		if err := view.Symlink(string(f.Data), full); err != nil {
			return err
		}
		return view.Chown(full, f.UID, f.GID, false)
	default:
		if err := view.WriteFile(full, f.Data, 0o600); err != nil {
			return err
		}
	}
	if err := view.Chown(full, f.UID, f.GID, true); err != nil {
		return err
	}
	return view.Chmod(full, f.Mode&vfs.ModePerm)
}

// hostFile returns a file of a volume; nil if it does not exist, or if its type or size keeps it in
// the Pod.
func hostFile(view *vfs.View, name string) *HostFile {
	full := "/" + name
	i, err := view.Lstat(full)
	if err != nil || i.Size > hostFileLimit {
		return nil
	}
	f := &HostFile{Path: name, Mode: i.Mode, UID: i.UID, GID: i.GID}
	switch {
	case i.IsDir():
	case i.IsLink():
		f.Data = []byte(i.Target)
	case i.IsRegular():
		if f.Data, err = view.ReadFile(full); err != nil {
			return nil
		}
	default:
		return nil
	}
	return f
}

// WroteHost implements Runtime.
func (m *machine) WroteHost(name string) []HostFile {
	v := m.Volumes[name]
	if v == nil || v.Host == nil {
		return nil
	}
	view := vfs.NewView(v.Tree, "", m.Now()).As(vfs.Cred{}, m.Now())
	var changes []HostFile
	there := map[string]bool{}
	var walk func(name string)
	walk = func(name string) {
		f := hostFile(view, name)
		if f == nil {
			return
		}
		there[name] = true
		if d := f.digest(); d != v.Host[name] {
			v.Host[name] = d
			changes = append(changes, *f)
		}
		if f.Mode&vfs.ModeType != vfs.ModeDir {
			return
		}
		entries, err := view.ReadDir("/" + name)
		if err != nil {
			return // it exists, and root can read everything
		}
		for _, e := range entries {
			walk(path.Join(name, e.Name))
		}
	}
	walk("")
	for name := range v.Host {
		if !there[name] {
			delete(v.Host, name)
			changes = append(changes, HostFile{Path: name, Removed: true})
		}
	}
	slices.SortFunc(changes, func(a, b HostFile) int { return strings.Compare(a.Path, b.Path) })
	return changes
}
