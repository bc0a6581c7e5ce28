package store_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

func file(node, path, data string) plan.File {
	return plan.File{Node: node, Path: path, Mode: 0o100644, UID: 1000, GID: 2000, Data: []byte(data)}
}

// keep commits files of nodes.
func (f fixture) keep(files ...plan.File) {
	f.T.Helper()
	conn := f.Conn()
	if _, err := conn.Exec(f.T.Context(), "BEGIN"); err != nil {
		f.T.Fatal(err)
	}
	b := newBatch(names.Kubelet)
	for _, file := range files {
		b.Keep(file)
	}
	if _, err := f.Commit(f.T.Context(), conn, b); err != nil {
		f.T.Fatal(err)
	}
}

func (f fixture) nodeFiles(places ...store.Place) []plan.File {
	f.T.Helper()
	files, err := f.NodeFiles(f.T.Context(), f.Conn(), places)
	if err != nil {
		f.T.Fatal(err)
	}
	return files
}

func TestNodeFiles_AreFoundByPlace(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	f.keep(file("n", "/var/log/a", "1"), file("n", "/var/log", ""), file("n", "/var/log.old", "old"), file("n", "/var/log/b/c", "2"),
		file("m", "/var/log/a", "other"), file("n", "/etc/x", "x"), file("n", "/var/log/ä", "3"))
	f.keep(file("n", "/var/log/a", "new"), plan.File{Node: "n", Path: "/etc/x", Removed: true}, plan.File{Node: "n", Path: "/nope", Removed: true})
	for _, test := range []struct {
		places []store.Place
		want   []plan.File
	}{
		{[]store.Place{{Node: "n", Path: "/var/log"}}, []plan.File{file("n", "/var/log", ""), file("n", "/var/log/a", "new"), file("n", "/var/log/b/c", "2"), file("n", "/var/log/ä", "3")}},
		{[]store.Place{{Node: "n", Path: "/var/log/b"}, {Node: "m", Path: "/"}, {Node: "n", Path: "/var/log/b/c"}}, []plan.File{file("m", "/var/log/a", "other"), file("n", "/var/log/b/c", "2")}},
		{[]store.Place{{Node: "n", Path: "/etc"}, {Node: "x", Path: "/"}}, nil},
	} {
		got := f.nodeFiles(test.places...)
		if diff := cmp.Diff(test.want, got); diff != "" && len(got)+len(test.want) > 0 {
			t.Errorf("%v (-want +got):\n%s", test.places, diff)
		}
	}
}

// TestNodeFiles_AreBounded: a node refuses more than it holds, and keeps what it has.
func TestNodeFiles_AreBounded(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	var many []plan.File
	for i := range 2100 {
		many = append(many, file("n", fmt.Sprintf("/many/%04d", i), "x"))
	}
	f.keep(many...)
	if n := f.Number("SELECT count(*) FROM node_files"); n != 2000 {
		t.Errorf("%d files, want 2000", n)
	}
	f.keep(file("n", "/many/0000", "still written"), file("n", "/zzz", "left out"), file("m", "/zzz", "another node"))
	f.keep(plan.File{Node: "n", Path: "/many/0001", Removed: true}, file("n", "/zz", "has room"))
	large := string(make([]byte, 9<<20))
	f.keep(file("m", "/large-1", large))
	f.keep(file("m", "/large-2", large))
	f.keep(file("m", "/large-1", large)) // as large as it was
	got := map[string]int{}
	for _, file := range f.nodeFiles(store.Place{Node: "n", Path: "/many/0000"}, store.Place{Node: "n", Path: "/zz"}, store.Place{Node: "n", Path: "/zzz"}, store.Place{Node: "m", Path: "/"}) {
		got[file.Node+file.Path] = len(file.Data)
	}
	if diff := cmp.Diff(map[string]int{"n/many/0000": 13, "n/zz": 8, "m/zzz": 12, "m/large-1": 9 << 20}, got); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
}

// TestS2_WritersOfFilesTakeTurns: writers lock files in one order, whatever order they pass them
// in.
func TestS2_WritersOfFilesTakeTurns(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for range 20 {
				files := []plan.File{file("n", "/a", "1"), file("n", "/b", "2"), file("m", "/c", "3")}
				if w%2 == 0 {
					files[0], files[2] = files[2], files[0]
				}
				f.keep(files...)
			}
		})
	}
	all.Wait()
	if n := f.Number("SELECT count(*) FROM node_files"); n != 3 {
		t.Errorf("%d files, want 3", n)
	}
}

// TestNodeFiles_GoWithTheirNode: the files of a node that is gone are removed at the next cleanup.
func TestNodeFiles_GoWithTheirNode(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	f.MustWrite(storetest.Create("nodes", &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "kept"}}))
	f.keep(file("a", "/1", ""), file("a", "/2", ""), file("kept", "/1", ""), file("z", "/1", ""))
	f.removeLeftovers()
	got := f.nodeFiles(store.Place{Node: "a", Path: "/"}, store.Place{Node: "kept", Path: "/"}, store.Place{Node: "z", Path: "/"})
	text := cmp.Transformer("data", func(b []byte) string { return string(b) })
	if diff := cmp.Diff([]plan.File{file("kept", "/1", "")}, got, text); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
