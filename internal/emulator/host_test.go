package emulator

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func hostText(path, data string) HostFile {
	return HostFile{Path: path, Mode: vfs.ModeRegular | 0o644, Data: []byte(data)}
}

// TestHost shows a node's files in a volume, and finds what the Pod changes.
func TestHost(t *testing.T) {
	t.Parallel()
	p := begin(t)
	root := HostFile{Mode: vfs.ModeDir | 0o755}
	dir := HostFile{Path: "logs", Mode: vfs.ModeDir | 0o700, UID: 7, GID: 8}
	link := HostFile{Path: "latest", Mode: vfs.ModeLink | 0o777, Data: []byte("logs/a")}
	files := []HostFile{root, link, dir, hostText("logs/a", "one"), hostText("logs/b", "two")}
	read := func(want bool, files ...HostFile) {
		t.Helper()
		if got := p.m.ReadHost(p.m.Now(), "v", files); got != want {
			t.Errorf("something new: %v, want %v", got, want)
		}
		b, err := p.m.Encode()
		if err == nil {
			p.m, err = decode(b, p.images)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	wrote := func(want ...HostFile) {
		t.Helper()
		if diff := cmp.Diff(want, p.m.WroteHost("v")); diff != "" {
			t.Errorf("written (-want +got):\n%s", diff)
		}
	}
	inside := func() *vfs.View { return vfs.NewView(p.m.Volumes["v"].Tree, "", p.m.Now()).As(vfs.Cred{}, p.m.Now()) }
	do := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	read(true, files...)
	wrote()
	read(false, files...)
	if text, err := inside().ReadFile("/latest"); err != nil || string(text) != "one" {
		t.Errorf("through the link: %q, %v", text, err)
	}
	if i, err := inside().Stat("/logs"); err != nil || i.UID != 7 || i.GID != 8 || i.Mode != dir.Mode {
		t.Errorf("the directory: %+v, %v", i, err)
	}

	// The Pod changes, adds and removes files; other Pods have changed one of them, and other
	// files.
	do(inside().WriteFile("/logs/a", []byte("by the Pod"), 0), inside().WriteFile("/new", []byte("n"), 0o600), inside().Remove("/logs/b"), inside().Mkfifo("/pipe", 0o600))
	read(true, root, link, dir, hostText("logs/a", "by others"), hostText("logs/b", "two"), hostText("logs/c", "three"))
	wrote(hostText("logs/a", "by the Pod"), HostFile{Path: "logs/b", Removed: true}, HostFile{Path: "new", Mode: vfs.ModeRegular | 0o600, Data: []byte("n")})
	wrote()

	// A file that disappears from the node disappears from the volume; a directory that the Pod
	// still writes into stays.
	read(true, root, hostText("logs/a", "by the Pod"))
	if _, err := inside().Lstat("/new"); err == nil {
		t.Error("a file that has gone is still there")
	}
	if _, err := inside().Lstat("/pipe"); err != nil {
		t.Error("what is the Pod's alone has gone")
	}
}

// TestHostOwnVolume uses a volume that has no files on the node yet: the volume itself is new
// there.
func TestHostOwnVolume(t *testing.T) {
	t.Parallel()
	p := begin(t)
	if !p.m.ReadHost(noon, "v", nil) || p.m.ReadHost(noon, "v", nil) {
		t.Error("a volume is new once")
	}
	if diff := cmp.Diff([]HostFile{{Mode: vfs.ModeDir | 0o755}}, p.m.WroteHost("v")); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	p.m.Empty(noon, "w", 0)
	if got := p.m.WroteHost("w"); got != nil {
		t.Errorf("of a volume of the Pod's own: %+v", got)
	}
	large := hostText("large", string(make([]byte, hostFileLimit+1)))
	view := vfs.NewView(p.m.Volumes["v"].Tree, "", noon)
	if err := view.WriteFile("/large", large.Data, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := p.m.WroteHost("v"); got != nil {
		t.Errorf("a large file leaves the Pod: %d", len(got))
	}
}
