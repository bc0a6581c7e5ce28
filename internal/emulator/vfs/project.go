package vfs

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// Projected is one file of a volume that shows an object's data: a ConfigMap, a Secret, the Pod
// itself.
type Projected struct {
	Path string // below the volume
	Data []byte
	Mode uint32 // permissions
	UID  int    // of the owner

	// Later makes the content when it is first read; nil if Data is the content.
	Later *Later
}

const dataDir = "..data"

// Project makes a volume show exactly these files, as the kubelet does: they are in a directory
// named after the time, the link "..data" leads to that directory, and for each first element of
// their paths a link leads through "..data". Switching that one link changes all files at once. If
// the volume already shows the files, it does nothing and returns false. If gid, the fsGroup, is
// not 0, it owns the files and may read all of them.
//
// It fails with EINVAL for a path that leaves the volume or begins with "..", and with ENOSPC.
//
// Source: kubernetes v1.36 pkg/volume/util/atomic_writer.go, AtomicWriter.Write
func (t *Tree) Project(now time.Time, gid int, files []Projected) (changed bool, err error) {
	for _, f := range files {
		if f.Path == "" || path.IsAbs(f.Path) || len(f.Path) >= maxPath || slices.Contains(strings.Split(f.Path, "/"), "..") || strings.HasPrefix(f.Path, "..") {
			return false, fail("project", f.Path, EINVAL)
		}
	}
	v := NewView(t, "", now).As(Cred{GID: gid}, now)
	old, _ := v.Readlink("/" + dataDir)
	if old != "" && v.shows("/"+old, files) {
		return false, nil
	}
	dir, err := v.stampedDir(now)
	if err != nil {
		return false, err
	}
	for _, f := range files {
		at := dir + "/" + path.Clean(f.Path)
		mode := f.Mode & ModePerm
		if gid != 0 {
			mode |= 0o440
		}
		if err = v.MkdirAll(path.Dir(at), 0o755); err == nil {
			if err = v.WriteFile(at, f.Data, 0o600); err == nil && f.Later != nil {
				err = v.promise(at, *f.Later)
			}
			if err == nil {
				err = v.Chmod(at, mode)
			}
			if err == nil && f.UID != 0 {
				err = v.Chown(at, f.UID, -1, true)
			}
		}
		if err != nil {
			_ = v.RemoveAll(dir) // no room: the previous files stay
			return false, err
		}
	}
	return true, v.swing(dir, old, files)
}

// stampedDir creates the directory for the files of one refresh.
func (v *View) stampedDir(now time.Time) (string, error) {
	stamp := "/" + now.UTC().Format("..2006_01_02_15_04_05.")
	for try := 0; ; try++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %d", now.UnixNano(), try))
		dir := fmt.Sprintf("%s%d", stamp, binary.BigEndian.Uint32(sum[:]))
		err := v.Mkdir(dir, 0o755)
		if !isErrno(err, EEXIST) {
			return dir, err
		}
	}
}

// swing switches "..data" to a new directory, and updates the links of the volume to match.
func (v *View) swing(dir, old string, files []Projected) error {
	const fresh = "/..data_tmp"
	if err := v.RemoveAll(fresh); err != nil {
		return err
	}
	if err := v.Symlink(dir[1:], fresh); err != nil {
		return err
	}
	if err := v.Rename(fresh, "/"+dataDir); err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, f := range files {
		first, _, _ := strings.Cut(path.Clean(f.Path), "/")
		wanted[first] = true
	}
	entries, err := v.ReadDir("/")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if target, err := v.Readlink("/" + e.Name); err == nil && strings.HasPrefix(target, dataDir+"/") {
			if wanted[e.Name] {
				delete(wanted, e.Name)
			} else if err := v.Remove("/" + e.Name); err != nil {
				return err
			}
		}
	}
	for _, name := range sorted(wanted) {
		if err := v.Symlink(dataDir+"/"+name, "/"+name); err != nil {
			return err
		}
	}
	if old == "" {
		return nil
	}
	return v.RemoveAll("/" + old)
}

func sorted(names map[string]bool) []string {
	var all []string
	for name := range names {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// shows reports whether a directory holds exactly these files.
func (v *View) shows(dir string, files []Projected) bool {
	have := 0
	for _, f := range files {
		at := dir + "/" + path.Clean(f.Path)
		i, err := v.Lstat(at)
		if err != nil || !i.IsRegular() || i.Mode&f.Mode&ModePerm != f.Mode&ModePerm || i.UID != f.UID {
			return false
		}
		if !v.holds(at, f) {
			return false
		}
		have++
	}
	return v.countFiles(dir) == have
}

func (v *View) countFiles(dir string) (n int) {
	entries, _ := v.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			n += v.countFiles(dir + "/" + e.Name)
		} else {
			n++
		}
	}
	return n
}

// promise makes a file hold the content for a request.
func (v *View) promise(full string, l Later) error {
	s, err := v.find("project", full, true)
	if err != nil {
		return err
	}
	own, err := s.change()
	if err != nil {
		return fail("project", full, err.(Errno))
	}
	if err := s.tree.room(int64(len(l.Request)), 0); err != nil {
		return fail("project", full, err.(Errno))
	}
	s.tree.bytes += int64(len(l.Request))
	own.Later = &l
	return nil
}

// holds reports whether a file has the content of a projected one.
func (v *View) holds(full string, f Projected) bool {
	s, err := v.find("project", full, true)
	if err != nil {
		return false
	}
	n := s.node()
	if n.Later != nil || f.Later != nil {
		return n.Later != nil && f.Later != nil && n.Later.Size == f.Later.Size && string(n.Later.Request) == string(f.Later.Request)
	}
	return string(n.Data) == string(f.Data)
}
