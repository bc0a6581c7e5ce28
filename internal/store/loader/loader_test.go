package loader_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/export"
	"github.com/rowlock/rowlock/internal/store/loader"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// load begins to load the state of a store into another, and returns it before Finish.
func load(t *testing.T, from, to storetest.Fixture, o loader.Options) *loader.Loader {
	t.Helper()
	l, err := loader.New(t.Context(), to.Pool, builtin.Catalogue(), storetest.Routes, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	if _, err := export.New(from.Store, from.Pool).State(t.Context(), 0, "v1", func() (snapshot.Sink, error) { return l, nil }); err != nil {
		t.Fatal(err)
	}
	return l
}

// names returns the names of the ReplicaSets in a database.
func names(t *testing.T, f storetest.Fixture) (list string) {
	t.Helper()
	const query = "SELECT coalesce(string_agg(name, ' ' ORDER BY name), '') FROM objects WHERE resource = 'replicasets.apps'"
	if err := f.Pool.QueryRow(t.Context(), query).Scan(&list); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestFinish: until then the database stays as it is; afterwards it has the state and nothing else.
func TestFinish(t *testing.T) {
	t.Parallel()
	from, to := storetest.New(t, store.Config{}), storetest.New(t, store.Config{})
	from.MustWrite(storetest.CreateReplicaSet("new-1", "web"))
	from.MustWrite(storetest.CreateReplicaSet("new-2", "web"))
	to.MustWrite(storetest.CreateReplicaSet("old", "web"))

	l := load(t, from, to, loader.Options{Replace: true})
	if got := names(t, to); got != "old" {
		t.Errorf("before Finish there are %s", got)
	}
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, to); got != "new-1 new-2" {
		t.Errorf("after Finish there are %s", got)
	}
}

// TestClose without Finish discards what was loaded.
func TestClose(t *testing.T) {
	t.Parallel()
	from, to := storetest.New(t, store.Config{}), storetest.New(t, store.Config{})
	from.MustWrite(storetest.CreateReplicaSet("new", "web"))
	to.MustWrite(storetest.CreateReplicaSet("old", "web"))
	load(t, from, to, loader.Options{Replace: true}).Close()
	if got := names(t, to); got != "old" {
		t.Errorf("there are %s", got)
	}
}

// TestFinish_NotEmpty: a cluster that has objects of its own keeps them, unless Replace is set.
func TestFinish_NotEmpty(t *testing.T) {
	t.Parallel()
	from, to := storetest.New(t, store.Config{}), storetest.New(t, store.Config{})
	from.MustWrite(storetest.CreateReplicaSet("new", "web"))
	to.MustWrite(storetest.CreateReplicaSet("old", "web"))
	if err := load(t, from, to, loader.Options{}).Finish(); !errors.Is(err, loader.ErrNotEmpty) || !strings.Contains(err.Error(), "old") {
		t.Errorf("the error is %v", err)
	}
	if got := names(t, to); got != "old" {
		t.Errorf("there are %s", got)
	}
}
