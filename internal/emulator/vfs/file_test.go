package vfs_test

import (
	"io"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func TestFile_IsReadAndWritten(t *testing.T) {
	t.Parallel()
	v := newView(t)
	w, err := v.Open("/tmp/f", vfs.Write|vfs.Create|vfs.Truncate, 0o666)
	must(t, err)
	_, err = v.Write(w, []byte("hello world"))
	must(t, err)
	must(t, v.Seek(w, 6))
	_, err = v.Write(w, []byte("you"))
	must(t, err)
	_, err = v.Read(w, make([]byte, 1))
	wants(t, err, vfs.EBADF)
	must(t, v.Remove("/tmp/f")) // unlinked, but open
	_, err = v.Stat("/tmp/f")
	wants(t, err, vfs.ENOENT)
	if got := string(v.Content(w)); got != "hello yould" {
		t.Errorf("an unlinked file that is open holds %q", got)
	}
	files := v.Trees()[0].Files()
	v.Close(w)
	if got := v.Trees()[0].Files(); got != files-1 {
		t.Errorf("the tree holds %d files after the unlinked one was closed, %d before", got, files)
	}

	r, err := v.Open("/etc/motd", vfs.ReadOnly, 0)
	must(t, err)
	_, err = v.Write(r, []byte("x"))
	wants(t, err, vfs.EBADF)
	must(t, v.WriteFile("/etc/motd", []byte("later"), 0o644))
	must(t, v.Remove("/etc/motd"))
	if got := string(v.Content(r)); got != "later" {
		t.Errorf("a file of the base, changed and removed while open, holds %q", got)
	}
	p := make([]byte, 3)
	n, err := v.Read(r, p)
	if n != 3 || err != nil || string(p) != "lat" {
		t.Errorf("the first read returns %q, %v", p[:n], err)
	}
	must(t, v.Seek(r, 5))
	if _, err = v.Read(r, p); err != io.EOF {
		t.Errorf("a read at the end returns %v, want io.EOF", err)
	}

	both, err := v.Open("/tmp/both", vfs.ReadWrite|vfs.Create, 0o600)
	must(t, err)
	_, err = v.Write(both, []byte("abc"))
	must(t, err)
	must(t, v.Seek(both, 1))
	if n, err := v.Read(both, p); n != 2 || err != nil {
		t.Errorf("reading a file opened for reading and writing returns %d, %v", n, err)
	}
	app, err := v.Open("/tmp/both", vfs.Append, 0)
	must(t, err)
	_, err = v.Write(app, []byte("d"))
	must(t, err)
	_, err = v.Write(both, []byte("x"))
	must(t, err)
	_, err = v.Write(app, []byte("e"))
	must(t, err)
	if got := read(t, v, "/tmp/both"); got != "abcxe" {
		t.Errorf("two writers made %q", got)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	v := newView(t)
	must(t, v.WriteFile("/var/run/pid", []byte("1"), 0o644))
	if got := read(t, v, "/run/pid"); got != "1" {
		t.Errorf("read through a link, the file holds %q", got)
	}
	if got, err := v.Resolve("/var/run/../run/./new"); err != nil || got != "/run/new" {
		t.Errorf("/var/run/../run/./new resolves to %q, %v", got, err)
	}
	must(t, v.Symlink("../etc/fresh", "/tmp/l"))
	must(t, v.WriteFile("/tmp/l", []byte("made"), 0o644))
	if got := read(t, v, "/etc/fresh"); got != "made" {
		t.Errorf("the file written through a dangling link holds %q", got)
	}
	_, err := v.Open("/tmp/l", vfs.Write|vfs.Create|vfs.Exclusive, 0o644)
	wants(t, err, vfs.EEXIST)

	must(t, v.Link("/etc/motd", "/tmp/hard"))
	must(t, v.WriteFile("/tmp/hard", []byte("both"), 0o644))
	a, _ := v.Stat("/etc/motd")
	b, _ := v.Stat("/tmp/hard")
	if !a.Same(b) || a.Links != 2 || read(t, v, "/etc/motd") != "both" {
		t.Errorf("a file with two names is %+v and %+v", a, b)
	}
	must(t, v.Remove("/etc/motd"))
	if b, _ = v.Stat("/tmp/hard"); b.Links != 1 || read(t, v, "/tmp/hard") != "both" {
		t.Errorf("after one of its names was removed, the file is %+v", b)
	}
	if i, _ := v.Lstat("/var/run"); !i.IsLink() || i.Target != "/run" {
		t.Errorf("the link is %+v", i)
	}
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	v := newView(t)
	must(t, v.WriteFile("/etc/secret", []byte("s"), 0o600))
	must(t, v.WriteFile("/tmp/roots", nil, 0o644))
	must(t, v.Mkdir("/closed", 0o700))
	must(t, v.WriteFile("/closed/x", nil, 0o644))
	must(t, v.Mkdir("/shared", 0o777))
	must(t, v.Chmod("/shared", vfs.ModeSetGID|0o770))
	must(t, v.Chown("/shared", -1, 2000, true))
	u := v.As(vfs.Cred{UID: 1000, GID: 1000, Groups: []int{2000}, Umask: 0o027}, noon)
	_, err := u.ReadFile("/etc/secret")
	wants(t, err, vfs.EACCES)
	_, err = u.Stat("/closed/x")
	wants(t, err, vfs.EACCES)
	wants(t, u.WriteFile("/etc/new", nil, 0o644), vfs.EACCES)
	wants(t, u.WriteFile("/etc/motd", nil, 0o644), vfs.EACCES)
	wants(t, u.Chmod("/etc/motd", 0o777), vfs.EPERM)
	wants(t, u.Chown("/etc/motd", 1000, -1, true), vfs.EPERM)
	wants(t, u.Remove("/tmp/roots"), vfs.EPERM)
	must(t, u.WriteFile("/tmp/mine", nil, 0o666))
	must(t, u.Mkdir("/shared/d", 0o777))
	mine, _ := u.Stat("/tmp/mine")
	dir, _ := u.Stat("/shared/d")
	if mine.Mode != vfs.ModeRegular|0o640 || mine.UID != 1000 || mine.GID != 1000 {
		t.Errorf("a new file is %+v", mine)
	}
	if dir.Mode != vfs.ModeDir|vfs.ModeSetGID|0o750 || dir.GID != 2000 {
		t.Errorf("a new directory in one with the setgid bit is %+v", dir)
	}
	must(t, u.Remove("/tmp/mine"))
}
