package vfs_test

import (
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func TestMounts(t *testing.T) {
	t.Parallel()
	base := newBase(t)
	volume, config := vfs.NewTree("volume", nil, noon), vfs.NewTree("config", nil, noon)
	_, err := config.Project(noon, 0, []vfs.Projected{{Path: "key", Data: []byte("v1"), Mode: 0o644}})
	must(t, err)
	a := vfs.NewView(vfs.NewTree("a", base, noon), "", noon)
	b := vfs.NewView(vfs.NewTree("b", base, noon), "", noon)
	must(t, a.Mount("/data", volume, "", false))
	must(t, b.Mount("/var/run/deep/down", volume, "part", false))
	must(t, b.Mount("/etc/config", config, "", true))
	must(t, b.Mount("/etc/motd", config, "key", true))

	must(t, a.WriteFile("/data/part/f", []byte("shared"), 0o644))
	if got := read(t, b, "/run/deep/down/f"); got != "shared" {
		t.Errorf("the other container reads %q", got)
	}
	if got := read(t, b, "/etc/config/key") + read(t, b, "/etc/motd"); got != "v1v1" {
		t.Errorf("the configuration is %q", got)
	}
	wants(t, b.WriteFile("/etc/config/key", nil, 0o644), vfs.EROFS)
	wants(t, b.WriteFile("/etc/motd", nil, 0o644), vfs.EROFS)
	wants(t, b.Remove("/etc/config/key"), vfs.EROFS)
	wants(t, b.Mkdir("/etc/config/d", 0o755), vfs.EROFS)
	wants(t, b.Chmod("/etc/config/key", 0o777), vfs.EROFS)
	wants(t, b.RemoveDir("/run/deep/down"), vfs.EBUSY)
	wants(t, b.RemoveAll("/run/deep"), vfs.EBUSY)
	wants(t, b.Rename("/run/deep", "/run/other"), vfs.EBUSY)
	must(t, b.WriteFile("/tmp/x", nil, 0o644))
	wants(t, b.Rename("/tmp/x", "/run/deep/down/x"), vfs.EXDEV)
	wants(t, b.Link("/tmp/x", "/run/deep/down/x"), vfs.EXDEV)
	wants(t, b.Mount("/etc/hosts", volume, "", false), vfs.ENOTDIR)

	_, err = config.Project(noon.Add(time.Minute), 0, []vfs.Projected{{Path: "key", Data: []byte("v2"), Mode: 0o644}})
	must(t, err)
	b = again(t, b, base)
	if got := b.MountOf("/run/deep/down/f"); got.Tree != "volume" || b.MountOf("/etc/x").Tree != "b" {
		t.Errorf("the file in the volume is on the mount %+v, one outside on %+v", got, b.MountOf("/etc/x"))
	}
	if got := read(t, b, "/etc/config/key") + read(t, b, "/etc/motd"); got != "v2v1" {
		t.Errorf("after a refresh the configuration is %q, want the sub path unchanged", got)
	}
	before := b.Trees()
	b.Release()
	for _, tree := range before {
		if tree.Name == "config" && tree.Files() != 5 { // the root, the directory, the file, two links
			t.Errorf("after its release the volume has %d files", tree.Files())
		}
	}
}

func TestReadOnlyRoot(t *testing.T) {
	t.Parallel()
	v := newView(t)
	v.Root.ReadOnly = true
	must(t, v.Mount("/made/for/it", vfs.NewTree("volume", nil, noon), "", false))
	wants(t, v.WriteFile("/tmp/x", nil, 0o644), vfs.EROFS)
	must(t, v.WriteFile("/made/for/it/x", nil, 0o644))
	must(t, v.WriteFile("/dev/null", []byte("x"), 0o644))
}
