package emulator

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// devices are the files in every container's /dev.
var devices = func() *vfs.Base {
	b, err := vfs.NewBase(devTree, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), vfs.Devices())
	if err != nil {
		panic(err) // the list is fixed
	}
	return b
}()

const devTree = "dev"

// HasFiles implements Runtime.
func (m *machine) HasFiles() bool { return true }

// IsNamed implements Runtime.
func (m *machine) IsNamed() bool { return m.Hostname != "" }

// Rename implements Runtime.
func (m *machine) Rename() { m.Hostname = "" }

// Identify implements Runtime. It writes the files that all containers share.
func (m *machine) Identify(i Identity) error {
	m.Hostname, m.IP, m.OnHost = i.Hostname, i.IP, i.OnHost
	if m.Trees == nil {
		m.Trees = map[string]*vfs.Tree{}
	}
	t := vfs.NewTree(podTree, nil, m.Now())
	m.Trees[podTree] = t
	m.Trees[devTree] = vfs.NewTree(devTree, devices, m.Now())
	v := vfs.NewView(t, "", m.Now())
	for name, text := range map[string]string{"hosts": i.Hosts, "hostname": i.HostnameFile, "resolv.conf": i.Resolv} {
		if err := v.WriteFile("/"+name, []byte(text), 0o644); err != nil {
			return fmt.Errorf("machine %s: %w", m.Seed, err)
		}
	}
	return m.setSysctls(i)
}

// furnish mounts everything that a run sees besides its image's files. The root stays writable;
// launch makes it read-only if the Spec says so.
func (m *machine) furnish(live *Live, s Spec) error {
	v := live.View
	if err := v.MkdirAll(live.Dir, 0o755); err != nil {
		return err
	}
	if dev := m.Trees[devTree]; dev != nil {
		if err := v.Mount("/dev", dev, "/dev", false); err != nil {
			return err
		}
	}
	if err := m.showSysctls(live, s.Privileged); err != nil {
		return err
	}
	pod := m.Trees[podTree]
	for _, name := range []string{"hosts", "hostname", "resolv.conf"} {
		if pod == nil {
			break
		}
		if err := v.Mount("/etc/"+name, pod, name, false); err != nil {
			return err
		}
	}
	for _, mount := range s.Mounts {
		volume := m.Volumes[mount.Volume]
		if volume == nil {
			return fmt.Errorf("no volume %q", mount.Volume)
		}
		if err := m.prepare(volume, mount); err != nil {
			return err
		}
		if err := v.Mount(mount.Path, volume.Tree, path.Join("/", mount.SubPath), mount.ReadOnly); err != nil {
			return err
		}
	}
	if s.TerminationPath != "" && pod != nil {
		if err := m.show(live, s.TerminationPath, "/termination/", nil, 0o666, false); err != nil {
			return err
		}
	}
	if err := m.showCgroup(live, s.Resources); err != nil {
		return err
	}
	return m.showProcess(live, s)
}

// prepare creates the directory of a volume at the mount's SubPath if it is missing.
//
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, makeMounts
func (m *machine) prepare(volume *Volume, mount Mount) error {
	if mount.SubPath == "" {
		return nil
	}
	view := vfs.NewView(volume.Tree, "", m.Now()).As(vfs.Cred{}, m.Now())
	sub := path.Join("/", mount.SubPath)
	_, err := view.Stat(sub)
	if errors.Is(err, fs.ErrNotExist) && volume.Tree.BaseName != "" {
		return fmt.Errorf("image volume %s has no %s", mount.Volume, mount.SubPath)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil // it exists, or cannot be created: the mount reports that
	}
	return view.MkdirAll(sub, 0o777)
}

// show mounts a file of a single run. The file is in a directory of the Pod's tree.
func (m *machine) show(live *Live, at, dir string, content []byte, mode uint32, readOnly bool) error {
	pod := m.Trees[podTree]
	file := dir + live.Sandbox
	inside := vfs.NewView(pod, "", m.Now())
	if err := inside.MkdirAll(path.Dir(file), 0o755); err != nil {
		return err
	}
	if err := inside.WriteFile(file, content, mode); err != nil {
		return err
	}
	if err := inside.Chmod(file, mode); err != nil {
		return err
	}
	return live.View.Mount(at, pod, file, readOnly)
}

// release drops the file trees of a run that has ended.
func (m *machine) release(live *Live) {
	live.View.Release()
	delete(m.Trees, live.Sandbox)
	if pod := m.Trees[podTree]; pod != nil {
		inside := vfs.NewView(pod, "", m.Now())
		_ = inside.RemoveAll("/termination/" + live.Sandbox)
		_ = inside.RemoveAll(cgroupOf(live))
		_ = inside.RemoveAll("/memory/" + live.Sandbox) // exists if an earlier release started the run
	}
}
