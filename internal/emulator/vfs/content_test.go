package vfs_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// A file whose content is made later has its size from the beginning. It is made when it is read,
// and is the same wherever it is read.
func TestLater_IsMadeWhenRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	tree := vfs.NewTree("t", nil, now)
	files := []vfs.Projected{{Path: "token", Mode: 0o644, Later: &vfs.Later{Request: []byte("ask"), Size: 3}}}
	if changed, err := tree.Project(now, 0, files); err != nil || !changed {
		t.Fatal(changed, err)
	}
	stored, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	tree.SetMaker(func(request []byte) []byte { made++; return []byte(strings.ToUpper(string(request))) })
	view := vfs.NewView(tree, "", now)
	if i, err := view.Stat("/token"); err != nil || i.Size != 3 || made > 0 {
		t.Errorf("%d bytes, made %d times, %v", i.Size, made, err)
	}
	for range 2 {
		if text, err := view.ReadFile("/token"); err != nil || string(text) != "ASK" {
			t.Errorf("the file holds %q, %v", text, err)
		}
	}
	if changed, err := tree.Project(now.Add(time.Second), 0, files); err != nil || changed || made != 1 {
		t.Errorf("the same files again: %t, made %d times, %v", changed, made, err)
	}
	if again, err := json.Marshal(tree); err != nil || string(again) != string(stored) {
		t.Errorf("after reading the tree is stored as\n%s\nand was\n%s", again, stored)
	}
	var back vfs.Tree
	if err := json.Unmarshal(stored, &back); err != nil {
		t.Fatal(err)
	}
	if text, err := vfs.NewView(&back, "", now).ReadFile("/token"); err != nil || len(text) > 0 {
		t.Errorf("without a maker it holds %q, %v", text, err)
	}
	if err := view.AppendFile("/token", []byte("!"), 0); err != nil {
		t.Fatal(err)
	}
	tree.SetMaker(nil)
	if text, err := view.ReadFile("/token"); err != nil || string(text) != "ASK!" {
		t.Errorf("what was written to holds %q, %v", text, err)
	}
	files[0].Later = &vfs.Later{Request: []byte("another"), Size: 7}
	if changed, err := tree.Project(now.Add(2*time.Second), 0, files); err != nil || !changed {
		t.Errorf("another request: %t, %v", changed, err)
	}
}
