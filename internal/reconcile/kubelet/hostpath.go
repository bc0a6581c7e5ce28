package kubelet

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// hostPathEvery is how often a Pod that shares files of its node with others is synced, so that
// they see what it writes.
const hostPathEvery = 10 * time.Second

// nodeDirectories are the directories of every node, with their modes.
var nodeDirectories = map[string]uint32{
	"/": 0o755, "/bin": 0o755, "/boot": 0o755, "/dev": 0o755, "/etc": 0o755, "/etc/kubernetes": 0o755, "/home": 0o755, "/lib": 0o755, "/lib/modules": 0o755,
	"/media": 0o755, "/mnt": 0o755, "/opt": 0o755, "/proc": 0o555, "/root": 0o700, "/run": 0o755, "/sbin": 0o755, "/srv": 0o755, "/sys": 0o555,
	"/tmp": 0o1777, "/usr": 0o755, "/usr/local": 0o755, "/usr/share": 0o755, "/var": 0o755, "/var/lib": 0o755, "/var/lib/kubelet": 0o700, "/var/log": 0o755,
	"/var/log/containers": 0o755, "/var/log/pods": 0o755, "/var/run": 0o755, "/var/tmp": 0o1777,
}

// HostPath is the path of a hostPath volume on the node.
func HostPath(v *corev1.HostPathVolumeSource) string { return path.Clean("/" + v.Path) }

// shown is what a volume shows that outlives the Pod: a file or directory of the node, or the
// content of a persistent volume.
type shown struct {
	node, path string
	given      string // the path as the volume gives it
	kind       *corev1.HostPathType
}

// shows is what a volume shows; false if nothing in it outlives the Pod.
func (k *sync) shows(v *corev1.Volume) (s shown, ok bool) {
	if v.HostPath != nil {
		return shown{k.Pod.Spec.NodeName, HostPath(v.HostPath), v.HostPath.Path, v.HostPath.Type}, true
	}
	pv := k.Claims[v.Name].Volume
	if pv == nil {
		return s, false
	}
	s.node, s.path = volumestate.Place(pv, k.Pod.Spec.NodeName)
	s.given, s.kind = s.path, new(corev1.HostPathDirectoryOrCreate)
	if pv.Spec.HostPath != nil {
		s.given, s.kind = pv.Spec.HostPath.Path, pv.Spec.HostPath.Type
	}
	return s, true
}

// mode is the mode of what is shown, including its type; 0 if nothing exists there.
func (k *sync) mode(s shown) uint32 {
	at, below := s.path, false
	for i := range k.Files {
		f := &k.Files[i]
		if f.Node != s.node {
			continue
		}
		if f.Path == at {
			return f.Mode
		}
		below = below || strings.HasPrefix(f.Path, strings.TrimSuffix(at, "/")+"/")
	}
	for i := range k.made {
		if k.made[i].Node == s.node && k.made[i].Path == at {
			return k.made[i].Mode
		}
	}
	if mode, ok := nodeDirectories[at]; ok && s.node == k.Pod.Spec.NodeName {
		return emulator.ModeDir | mode
	}
	if below {
		return emulator.ModeDir | 0o755
	}
	return 0
}

// mountShown mounts a file or a directory in a volume.
// Source: kubernetes v1.36 pkg/volume/hostpath/host_path.go, checkTypeInternal.
// Differs: nodes have no sockets and devices. A node's files are those that Pods have written, and
// a few empty directories.
func (k *sync) mountShown(v *corev1.Volume, s shown) error {
	at := s.path
	k.makeNodeFiles(s)
	if k.mode(s) == 0 {
		k.make(s)
	}
	mode := k.mode(s)
	if err := checkHostPath(s.given, mode, s.kind); err != nil {
		return err
	}
	files := []emulator.HostFile{}
	if mode&emulator.ModeType == emulator.ModeDir {
		files = append(files, emulator.HostFile{Mode: mode})
	}
	prefix := strings.TrimSuffix(at, "/") + "/"
	for _, list := range [][]plan.File{k.Files, k.made} {
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
	if k.runtime.ReadHost(k.now.Time, v.Name, files) {
		k.touched = true
	}
	return nil
}

// makeNodeFiles creates the files that every node has, if a volume shows them and no Pod has
// created or changed them.
func (k *sync) makeNodeFiles(s shown) {
	const hosts = "/etc/hosts"
	there := func(f plan.File) bool { return f.Node == s.node && f.Path == hosts }
	shows := s.path == hosts || s.path == "/" || strings.HasPrefix(hosts, s.path+"/")
	if !shows || s.node != k.Pod.Spec.NodeName || slices.ContainsFunc(k.Files, there) || slices.ContainsFunc(k.made, there) {
		return
	}
	k.made = append(k.made, plan.File{Node: s.node, Path: hosts, Mode: emulator.ModeRegular | 0o644, Data: []byte(nodeHostsOf(s.node, internalIP(k.Node)))})
}

// make creates what a volume requires where nothing exists.
func (k *sync) make(s shown) {
	f := plan.File{Node: s.node, Path: s.path, Mode: emulator.ModeDir | 0o755}
	if s.node != k.Pod.Spec.NodeName {
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
	k.made = append(k.made, f)
}

func checkHostPath(given string, mode uint32, kind *corev1.HostPathType) error {
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

// hostFile is the name, within the volume, of the single file that a volume is; "" for a volume
// that is a directory.
func (k *sync) hostFile(volume string) string {
	for i := range k.Pod.Spec.Volumes {
		v := &k.Pod.Spec.Volumes[i]
		if v.Name != volume {
			continue
		}
		if s, ok := k.shows(v); ok && k.mode(s)&emulator.ModeType == emulator.ModeRegular {
			return path.Base(s.path)
		}
	}
	return ""
}

// keepHostFiles are the node's files that the Pod has changed. Files created for its volumes are
// included only until the Pod is set up, so that a full node is not asked to store them forever.
func (k *sync) keepHostFiles() (files []plan.File) {
	if k.Pod.Status.PodIP == "" {
		files = k.made
	}
	for i := range k.Pod.Spec.Volumes {
		v := &k.Pod.Spec.Volumes[i]
		s, ok := k.shows(v)
		if !ok || !k.runtime.HasFiles() {
			continue
		}
		at := s.path
		root := at
		if k.hostFile(v.Name) != "" {
			root = path.Dir(at)
		}
		for _, f := range k.runtime.WroteHost(v.Name) {
			k.touched = true
			if f.Path == "" && root != at { // the directory that contains a single file
				continue
			}
			files = append(files, plan.File{Node: s.node, Path: path.Join(root, f.Path), Mode: f.Mode, UID: f.UID, GID: f.GID, Data: f.Data, Removed: f.Removed})
		}
		if k.Shared && k.runtime.Live() {
			k.wakeAt(k.now.Add(hostPathEvery))
		}
	}
	return files
}
