package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store/loader"
)

// fresh makes a cluster from a snapshot's file in a database of its own.
func fresh(t testing.TB, file []byte, clock loader.ClockAfter) *clustertest.Site {
	t.Helper()
	url := pgtest.NewURL(t)
	if err := cluster.Load(t.Context(), url, bytes.NewReader(file), clock); err != nil {
		t.Fatal(err)
	}
	return clustertest.Open(t, url)
}

// TestSnapshot_RoundTrip loads what was saved, in two ways, and compares every list byte by byte;
// then time passes in each, and the same happens at the same times.
func TestSnapshot_RoundTrip(t *testing.T) {
	t.Parallel()
	source := clustertest.Open(t, pgtest.NewURL(t))
	source.Populate()
	source.Do("POST", "/rowlock/v1/snapshots", `{"name":"one"}`)
	want, at := source.Everything(), source.Now()
	file := source.Do("GET", "/rowlock/v1/snapshots/one/file", "")

	loaded := clustertest.Open(t, pgtest.NewURL(t))
	loaded.Do("PUT", "/rowlock/v1/snapshots/given/file", string(file))
	loaded.Do("POST", "/rowlock/v1/snapshots/given/load", `{}`)
	all := map[string]*clustertest.Site{"loaded into an empty cluster": loaded, "loaded before the start": fresh(t, file, loader.ClockAsSaved)}
	for what, s := range all {
		clustertest.Same(t, what, want, s.Everything())
		if now := s.Now(); !now.Equal(at) {
			t.Errorf("%s: the clock shows %s, not %s", what, now, at)
		}
		s.Advance("0s")
		clustertest.Same(t, what+", when all was done that was due", want, s.Everything())
	}

	log := "/api/v1/namespaces/default/pods/" + source.PodOf("count") + "/log"
	source.Advance("6m")
	for what, s := range all {
		s.Advance("6m")
		if got, want := s.Do("GET", log, ""), source.Do("GET", log, ""); !bytes.Equal(got, want) {
			t.Errorf("%s: the program wrote\n%s\nand not\n%s", what, got, want)
		}
		if diff := cmp.Diff(workloads(source), workloads(s)); diff != "" {
			t.Errorf("%s: something else became of it (-source +copy):\n%s", what, diff)
		}
	}
}

// workloads returns the state of the workloads and their Pods, without random parts.
func workloads(s *clustertest.Site) []string {
	s.T.Helper()
	var out []string
	var jobs struct {
		Items []struct {
			Metadata struct{ Name string }
			Status   struct {
				StartTime, CompletionTime string
				Succeeded, Failed         int
			}
		}
	}
	s.Get("/apis/batch/v1/jobs", &jobs)
	for _, j := range jobs.Items {
		out = append(out, fmt.Sprintf("job %s %+v", j.Metadata.Name, j.Status))
	}
	var deployment struct {
		Status struct {
			Conditions []struct{ Type, Status, Reason, LastTransitionTime string }
		}
	}
	s.Get("/apis/apps/v1/namespaces/default/deployments/web", &deployment)
	out = append(out, fmt.Sprintf("%+v", deployment))
	var pods struct {
		Items []struct {
			Metadata struct{ Name, DeletionTimestamp string }
		}
	}
	s.Get("/api/v1/namespaces/default/pods", &pods)
	return append(out, fmt.Sprintf("%d pods", len(pods.Items)))
}

// versions returns those of a snapshot's file.
func versions(t testing.TB, file []byte) (all []*snapshot.Version) {
	t.Helper()
	r, err := snapshot.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if record.Version != nil {
			all = append(all, record.Version)
		}
	}
}
