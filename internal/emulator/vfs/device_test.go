package vfs_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

type proc map[string]vfs.Generated

func (p proc) Generate(name string) (vfs.Generated, bool) { g, ok := p[name]; return g, ok }

func TestGeneratedAndDevices(t *testing.T) {
	t.Parallel()
	v := newView(t)
	must(t, v.Mkdir("/proc", 0o555))
	v.Serve("/proc", proc{
		"/proc":          {Names: []string{"uptime", "self", "1"}},
		"/proc/uptime":   {Data: []byte("12.00 3.00\n")},
		"/proc/self":     {Target: "1"},
		"/proc/1":        {Names: []string{"status"}},
		"/proc/1/status": {Data: []byte("Name:\tsh\n")},
	})
	if got := read(t, v, "/proc/uptime") + read(t, v, "/proc/self/status"); got != "12.00 3.00\nName:\tsh\n" {
		t.Errorf("the generated files hold %q", got)
	}
	if got := names(t, v, "/proc"); got != "1 self uptime" {
		t.Errorf("/proc has %s", got)
	}
	wants(t, v.WriteFile("/proc/uptime", nil, 0o644), vfs.EROFS)
	wants(t, v.WriteFile("/proc/new", nil, 0o644), vfs.EROFS)
	wants(t, v.Remove("/proc/uptime"), vfs.EROFS)
	wants(t, v.RemoveAll("/proc"), vfs.EROFS)
	wants(t, v.Rename("/tmp", "/proc/tmp"), vfs.EXDEV)
	wants(t, v.Link("/proc/uptime", "/tmp/u"), vfs.EXDEV)

	random := func(v *vfs.View) string {
		f, err := v.Open("/dev/urandom", vfs.ReadOnly, 0)
		must(t, err)
		p := make([]byte, 16)
		_, err = v.Read(f, p)
		must(t, err)
		return string(p)
	}
	one, two := random(v), random(v)
	w := newView(t)
	if one == two || random(w) != one || random(again(t, w, newBase(t))) != two {
		t.Error("the seed does not determine the bytes of /dev/urandom")
	}
	f, err := v.Open("/dev/stdout", vfs.Write, 0)
	must(t, err)
	if f.Device != "stdout" {
		t.Errorf("the device is %q", f.Device)
	}
	wants(t, v.WriteFile("/dev/full", []byte("x"), 0o644), vfs.ENOSPC)
}
