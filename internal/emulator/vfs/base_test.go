package vfs_test

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func TestBase_IsCopiedOnWrite(t *testing.T) {
	t.Parallel()
	base := newBase(t)
	a := vfs.NewView(vfs.NewTree("a", base, noon), "", noon)
	b := vfs.NewView(vfs.NewTree("b", base, noon), "", noon)
	must(t, a.WriteFile("/etc/motd", []byte("changed"), 0o644))
	must(t, a.AppendFile("/etc/hosts", []byte("more\n"), 0o644))
	must(t, a.Remove("/bin/sh"))
	must(t, a.Rename("/run", "/etc/run"))
	a = again(t, a, base)
	if got := read(t, a, "/etc/motd") + read(t, a, "/etc/hosts"); got != "changedhosts\nmore\n" {
		t.Errorf("a reads %q", got)
	}
	if got := names(t, a, "/") + "; " + names(t, a, "/etc") + "; " + names(t, a, "/bin"); got != "bin dev etc tmp var; hosts motd run; " {
		t.Errorf("a's directories hold %s", got)
	}
	if got := read(t, b, "/etc/motd") + read(t, b, "/etc/hosts"); got != "hi\nhosts\n" {
		t.Errorf("b reads %q", got)
	}
	if got := names(t, b, "/") + "; " + names(t, b, "/bin"); got != "bin dev etc run tmp var; sh" {
		t.Errorf("b's directories hold %s", got)
	}
	if b.Trees()[0].Files() != 0 {
		t.Error("b holds files of its own, although only a was changed")
	}
	must(t, a.WriteFile("/bin/sh", []byte("new"), 0o755))
	if got := read(t, again(t, a, base), "/bin/sh"); got != "new" {
		t.Errorf("a file that replaces the base's holds %q", got)
	}
}

func TestBase_BadEntries(t *testing.T) {
	t.Parallel()
	for _, entries := range [][]vfs.Entry{
		{{Path: "a"}},
		{{Path: "/a/../b"}},
		{{Path: "/a"}, {Path: "/a/b"}},
		{{Path: "/a/b"}, {Path: "/a"}},
		{{Path: "/" + strings.Repeat("n", 256)}},
	} {
		if _, err := vfs.NewBase("bad", noon, entries); err == nil {
			t.Errorf("%v is accepted", entries)
		}
	}
}
