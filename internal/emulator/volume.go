package emulator

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Projected is one file of a volume that shows an object's data; see Volumes.Write.
type Projected = vfs.Projected

// Later is content that is made when its file is first read.
type Later = vfs.Later

// Maker makes such content.
type Maker = vfs.Maker

// podTree is the tree of the files that a Pod's containers share besides volumes: hosts, hostname,
// resolv.conf.
const podTree = "pod"

// volumePrefix begins the name of a volume's tree.
const volumePrefix = "volume/"

// tree returns a file tree of the machine by name; nil for none.
func (m *machine) tree(name string) *vfs.Tree {
	if volume, ok := strings.CutPrefix(name, volumePrefix); ok {
		if v := m.Volumes[volume]; v != nil {
			return v.Tree
		}
		return nil
	}
	return m.Trees[name]
}

// Empty implements Runtime.
func (m *machine) Empty(at time.Time, name string, limit int64) {
	if m.Volumes[name] != nil {
		return
	}
	m.Kernel.Advance(at)
	v := m.volume(name)
	if limit > 0 {
		v.Tree.MaxBytes = min(v.Tree.MaxBytes, limit)
	}
	_ = vfs.NewView(v.Tree, "", m.Now()).Chmod("/", 0o777)
}

// Show implements Runtime.
func (m *machine) Show(at time.Time, name string, i *Image) {
	if m.Volumes[name] != nil {
		return
	}
	m.Kernel.Advance(at)
	if m.Volumes == nil {
		m.Volumes = map[string]*Volume{}
	}
	m.Volumes[name] = &Volume{Tree: vfs.NewTree(volumePrefix+name, i.Base(), m.Now())}
}

func (m *machine) volume(name string) *Volume {
	v := m.Volumes[name]
	if v == nil {
		v = &Volume{Tree: vfs.NewTree(volumePrefix+name, nil, m.Now())}
		v.Tree.MaxBytes = m.Share.Tree
		v.Tree.SetMaker(m.maker)
		if m.Volumes == nil {
			m.Volumes = map[string]*Volume{}
		}
		m.Volumes[name] = v
	}
	return v
}

// Write implements Runtime.
func (m *machine) Write(at time.Time, name string, gid int, files []Projected) (changed bool, err error) {
	m.Kernel.Advance(at)
	if changed, err = m.volume(name).Tree.Project(m.Now(), gid, files); err != nil {
		return false, fmt.Errorf("volume %s: %w", name, err)
	}
	return changed, nil
}

// SetMaker implements Machine.
func (m *machine) SetMaker(maker Maker) {
	m.maker = maker
	for _, v := range m.Volumes {
		v.Tree.SetMaker(maker)
	}
}

// ReadFile implements Runtime.
func (m *machine) ReadFile(volume, file string) ([]byte, error) {
	v := m.Volumes[volume]
	if v == nil {
		return nil, fmt.Errorf("no volume %q", volume)
	}
	return vfs.NewView(v.Tree, "", m.Now()).ReadFile(path.Join("/", file))
}
