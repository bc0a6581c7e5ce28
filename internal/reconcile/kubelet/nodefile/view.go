package nodefile

import (
	"fmt"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/namefile"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// nodeDirectories are the directories of every node, with their modes.
var nodeDirectories = map[string]uint32{
	"/": 0o755, "/bin": 0o755, "/boot": 0o755, "/dev": 0o755, "/etc": 0o755, "/etc/kubernetes": 0o755, "/home": 0o755, "/lib": 0o755, "/lib/modules": 0o755,
	"/media": 0o755, "/mnt": 0o755, "/opt": 0o755, "/proc": 0o555, "/root": 0o700, "/run": 0o755, "/sbin": 0o755, "/srv": 0o755, "/sys": 0o555,
	"/tmp": 0o1777, "/usr": 0o755, "/usr/local": 0o755, "/usr/share": 0o755, "/var": 0o755, "/var/lib": 0o755, "/var/lib/kubelet": 0o700, "/var/log": 0o755,
	"/var/log/containers": 0o755, "/var/log/pods": 0o755, "/var/run": 0o755, "/var/tmp": 0o1777,
}

// View is what the volumes of a Pod show of the files that outlive it.
type View struct {
	Pod    *corev1.Pod
	Node   *corev1.Node                 // the Pod's
	Claims map[string]volumestate.Mount // by volume name

	// Files are the files at and below the places of the Pod's volumes, by node and path. Made are
	// those that this View has created because a volume requires them.
	Files []plan.File
	Made  []plan.File
}

// shown is what a volume shows that outlives the Pod: a file or directory of the node, or the
// content of a persistent volume.
type shown struct {
	node, path string
	given      string // the path as the volume gives it
	kind       *corev1.HostPathType
}

// Outlives reports whether something in a volume outlives the Pod.
func (v *View) Outlives(volume *corev1.Volume) bool {
	_, ok := v.shows(volume)
	return ok
}

// shows is what a volume shows; false if nothing in it outlives the Pod.
func (v *View) shows(volume *corev1.Volume) (s shown, ok bool) {
	if at := volume.HostPath; at != nil {
		return shown{v.Pod.Spec.NodeName, HostPath(at), at.Path, at.Type}, true
	}
	pv := v.Claims[volume.Name].Volume
	if pv == nil {
		return s, false
	}
	s.node, s.path = volumestate.Place(pv, v.Pod.Spec.NodeName)
	s.given, s.kind = s.path, new(corev1.HostPathDirectoryOrCreate)
	if pv.Spec.HostPath != nil {
		s.given, s.kind = pv.Spec.HostPath.Path, pv.Spec.HostPath.Type
	}
	return s, true
}

// mode is the mode of what is shown, including its type; 0 if nothing exists there.
func (v *View) mode(s shown) uint32 {
	at, below := s.path, false
	for i := range v.Files {
		f := &v.Files[i]
		if f.Node != s.node {
			continue
		}
		if f.Path == at {
			return f.Mode
		}
		below = below || strings.HasPrefix(f.Path, strings.TrimSuffix(at, "/")+"/")
	}
	for i := range v.Made {
		if v.Made[i].Node == s.node && v.Made[i].Path == at {
			return v.Made[i].Mode
		}
	}
	if mode, ok := nodeDirectories[at]; ok && s.node == v.Pod.Spec.NodeName {
		return emulator.ModeDir | mode
	}
	if below {
		return emulator.ModeDir | 0o755
	}
	return 0
}

// Mount lists the files in a volume, by their paths within it. ok is false if nothing in the volume
// outlives the Pod. What the volume requires where nothing exists is created. The error says that
// the volume is of another type than what exists.
//
// Source: kubernetes v1.36 pkg/volume/hostpath/host_path.go, checkTypeInternal.
// Differs: nodes have no sockets and devices. A node's files are those that Pods have written, and
// a few empty directories.
func (v *View) Mount(volume *corev1.Volume) (files []emulator.HostFile, ok bool, err error) {
	s, ok := v.shows(volume)
	if !ok {
		return nil, false, nil
	}
	at := s.path
	v.makeNodeFiles(s)
	if v.mode(s) == 0 {
		v.make(s)
	}
	mode := v.mode(s)
	if err := check(s.given, mode, s.kind); err != nil {
		return nil, true, err
	}
	files = []emulator.HostFile{}
	if mode&emulator.ModeType == emulator.ModeDir {
		files = append(files, emulator.HostFile{Mode: mode})
	}
	prefix := strings.TrimSuffix(at, "/") + "/"
	for _, list := range [][]plan.File{v.Files, v.Made} {
		for i := range list {
			if list[i].Node != s.node {
				continue
			}
			f := emulator.HostFile{Mode: list[i].Mode, UID: list[i].UID, GID: list[i].GID, Data: list[i].Data}
			below, inside := strings.CutPrefix(list[i].Path, prefix)
			switch {
			case inside:
				f.Path = below
				files = append(files, f)
			case list[i].Path != at:
			case mode&emulator.ModeType == emulator.ModeDir:
				files[0] = f
			default:
				f.Path = path.Base(at)
				files = append(files, f)
			}
		}
	}
	return files, true, nil
}

// makeNodeFiles creates the files that every node has, if a volume shows them and no Pod has
// created or changed them.
func (v *View) makeNodeFiles(s shown) {
	const hosts = "/etc/hosts"
	there := func(f plan.File) bool { return f.Node == s.node && f.Path == hosts }
	shows := s.path == hosts || s.path == "/" || strings.HasPrefix(hosts, s.path+"/")
	if !shows || s.node != v.Pod.Spec.NodeName || slices.ContainsFunc(v.Files, there) || slices.ContainsFunc(v.Made, there) {
		return
	}
	v.Made = append(v.Made, plan.File{
		Node: s.node, Path: hosts, Mode: emulator.ModeRegular | 0o644,
		Data: []byte(namefile.NodeHosts(s.node, namefile.NodeAddress(v.Node))),
	})
}

// make creates what a volume requires where nothing exists.
func (v *View) make(s shown) {
	f := plan.File{Node: s.node, Path: s.path, Mode: emulator.ModeDir | 0o755}
	if s.node != v.Pod.Spec.NodeName {
		f.Mode = emulator.ModeDir | 0o777 // as the emulated provisioner leaves its volumes
	}
	if s.kind != nil {
		switch *s.kind {
		case corev1.HostPathUnset, corev1.HostPathDirectoryOrCreate:
		case corev1.HostPathFileOrCreate:
			f.Mode = emulator.ModeRegular | 0o644
		default:
			return
		}
	}
	v.Made = append(v.Made, f)
}

// check reports that what exists is not of the type that a volume asks for.
func check(given string, mode uint32, kind *corev1.HostPathType) error {
	if kind == nil {
		return nil
	}
	noun, want := "", uint32(0)
	switch *kind {
	case corev1.HostPathUnset:
		return nil
	case corev1.HostPathDirectory, corev1.HostPathDirectoryOrCreate:
		noun, want = "directory", emulator.ModeDir
	case corev1.HostPathFile, corev1.HostPathFileOrCreate:
		noun, want = "file", emulator.ModeRegular
	case corev1.HostPathSocket:
		noun, want = "socket file", emulator.ModeSocket
	case corev1.HostPathCharDev:
		noun, want = "character device", emulator.ModeChar
	case corev1.HostPathBlockDev:
		noun, want = "block device", emulator.ModeBlock
	default:
		return fmt.Errorf("%s is an invalid volume type", *kind)
	}
	if mode == 0 || mode&emulator.ModeType != want {
		return fmt.Errorf("hostPath type check failed: %s is not a %s", given, noun)
	}
	return nil
}

// FileOf is the name, within the volume, of the single file that a volume is; "" for a volume that
// is a directory.
func (v *View) FileOf(name string) string {
	for i := range v.Pod.Spec.Volumes {
		volume := &v.Pod.Spec.Volumes[i]
		if volume.Name != name {
			continue
		}
		if s, ok := v.shows(volume); ok && v.mode(s)&emulator.ModeType == emulator.ModeRegular {
			return path.Base(s.path)
		}
	}
	return ""
}

// Keep appends what the Pod has written in a volume to the files to store. Nothing is appended if
// nothing in the volume outlives the Pod.
func (v *View) Keep(files []plan.File, volume *corev1.Volume, wrote []emulator.HostFile) []plan.File {
	s, ok := v.shows(volume)
	if !ok {
		return files
	}
	root := s.path
	if v.FileOf(volume.Name) != "" {
		root = path.Dir(s.path)
	}
	for _, f := range wrote {
		if f.Path == "" && root != s.path { // the directory that contains a single file
			continue
		}
		files = append(files, plan.File{Node: s.node, Path: path.Join(root, f.Path), Mode: f.Mode, UID: f.UID, GID: f.GID, Data: f.Data, Removed: f.Removed})
	}
	return files
}
