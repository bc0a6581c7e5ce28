package archive_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// forged returns a snapshot's file with one more record after the header.
func forged(t *testing.T, file []byte, extra snapshot.Record) []byte {
	t.Helper()
	r, err := snapshot.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := snapshot.NewWriter(&out)
	put := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	put(w.Begin(r.Header))
	placed := false
	for {
		record, err := r.Next()
		last := errors.Is(err, io.EOF)
		if !last {
			put(err)
		}
		if !placed && (last || extra.Memory != nil || record.Memory == nil) {
			put(w.Put(extra))
			placed = true
		}
		if last {
			break
		}
		put(w.Put(record))
	}
	put(w.Close())
	return out.Bytes()
}

// TestLoad_RefusesForeignRecords: a file that wakes a controller for an object of a kind that it
// does not sync, or has a memory where none is possible, is refused and changes nothing.
func TestLoad_RefusesForeignRecords(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"a"}}`)
	s.Do("POST", "/api/v1/namespaces/default/pods", `{"metadata":{"name":"a"},"spec":{"nodeName":"nowhere","containers":[{"name":"c","image":"busybox"}]}}`)
	s.Do("POST", "/rowlock/v1/snapshots", `{"name":"good"}`)
	file := s.Do("GET", "/rowlock/v1/snapshots/good/file", "")
	uids := map[string]types.UID{}
	for _, v := range versions(t, file) {
		uids[v.Resource] = v.UID
	}
	refused := func(what string, extra snapshot.Record) {
		t.Helper()
		evil := forged(t, file, extra)
		code, answer := s.Try("PUT", "/rowlock/v1/snapshots/evil/file", string(evil))
		if code == http.StatusOK {
			code, answer = s.Try("POST", "/rowlock/v1/snapshots/evil/load", `{"replace":true}`)
			s.Do("DELETE", "/rowlock/v1/snapshots/evil", "")
		}
		if code < 400 || code > 499 || !strings.Contains(string(answer), "the snapshot is invalid") {
			t.Errorf("%s: %d %s", what, code, answer)
		}
	}
	resources := []string{"namespaces", "nodes", "pods", "configmaps", "storageclasses.storage.k8s.io"}
	for _, resource := range resources {
		if uids[resource] == "" {
			t.Fatalf("the snapshot has no %s", resource)
		}
	}
	for i, c := range controller.Controllers(world.World{Kinds: builtin.Catalogue()}) {
		foreign := slices.DeleteFunc(slices.Clone(resources), c.Syncs)
		if len(foreign) == 0 {
			continue // it syncs objects of every kind
		}
		resource := foreign[i%len(foreign)] // one for each controller, and all of them among the controllers
		refused(c.Name+" for "+resource, snapshot.Record{Wakeup: &snapshot.Wakeup{Controller: c.Name, UID: uids[resource]}})
	}
	refused("a lock of others", snapshot.Record{Wakeup: &snapshot.Wakeup{Controller: names.HorizontalPodAutoscaler, UID: wakeup.HousekeepingLock}})
	refused("a memory of a StorageClass", snapshot.Record{Memory: &snapshot.Memory{UID: uids["storageclasses.storage.k8s.io"], State: []byte("x")}})
	refused("a damaged memory of a Pod", snapshot.Record{Memory: &snapshot.Memory{UID: uids["pods"], State: []byte("\x02{}\x01damaged")}})
	s.Do("GET", "/api/v1/namespaces/default/configmaps/a", "")
}
