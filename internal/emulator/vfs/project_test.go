package vfs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func TestProject(t *testing.T) {
	t.Parallel()
	tree := vfs.NewTree("config", nil, noon)
	v := vfs.NewView(tree, "", noon)
	project := func(at time.Time, files ...vfs.Projected) bool {
		changed, err := tree.Project(at, 0, files)
		must(t, err)
		return changed
	}
	a1 := vfs.Projected{Path: "a", Data: []byte("1"), Mode: 0o644}
	b2 := vfs.Projected{Path: "d/b", Data: []byte("2"), Mode: 0o400}
	if !project(noon, a1, b2) {
		t.Error("the first projection reports no change")
	}
	first, err := v.Readlink("/..data")
	must(t, err)
	if !strings.HasPrefix(first, "..2026_03_04_12_00_00.") {
		t.Errorf("..data leads to %s", first)
	}
	if got := names(t, v, "/"); got != first+" ..data a d" {
		t.Errorf("the volume has %s", got)
	}
	if i, _ := v.Stat("/d/b"); i.Mode != vfs.ModeRegular|0o400 {
		t.Errorf("d/b is %+v", i)
	}
	if project(noon.Add(time.Hour), b2, a1) {
		t.Error("projecting the same files in another order reports a change")
	}
	a3, c := vfs.Projected{Path: "a", Data: []byte("3"), Mode: 0o644}, vfs.Projected{Path: "c", Mode: 0o644}
	if !project(noon.Add(time.Hour), a3, c) {
		t.Error("projecting other files reports no change")
	}
	second, _ := v.Readlink("/..data")
	if got := names(t, v, "/"); got != second+" ..data a c" || first == second || read(t, v, "/a") != "3" {
		t.Errorf("with other files the volume has %s", got)
	}
	project(noon)
	if got := names(t, v, "/"); !strings.HasSuffix(got, " ..data") {
		t.Errorf("without files the volume has %s", got)
	}
	for _, bad := range []string{"", "/a", "../a", "a/../../b", "..a"} {
		_, err := tree.Project(noon, 0, []vfs.Projected{{Path: bad}})
		wants(t, err, vfs.EINVAL)
	}
	must(t, v.WriteFile("/full", make([]byte, vfs.DefaultMaxBytes-2000), 0o644))
	before := names(t, v, "/")
	_, err = tree.Project(noon, 0, []vfs.Projected{{Path: "big", Data: make([]byte, 4000)}})
	wants(t, err, vfs.ENOSPC)
	if got := names(t, v, "/"); got != before {
		t.Errorf("after a projection without room the volume has %s", got)
	}
}
