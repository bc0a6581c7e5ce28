package cluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestOpen_ADatabaseOfAnEarlierVersion: everything that the old version has written exists
// unchanged, and continues: the state of programs, Jobs that back off, quotas, reserved ports,
// counted faults, a paused clock, saved snapshots.
//
// Each file is the same small cluster, made by one version as CONTRIBUTING.md says.
func TestOpen_ADatabaseOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../migrations/testdata/version*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no old databases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			dump, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			database := pgtest.NewFromDump(t, string(dump))
			want, revision := headsOf(t, database)
			s := clustertest.Open(t, database)
			if diff := cmp.Diff(want, objectsAt(s, revision)); diff != "" {
				t.Errorf("the objects are not those of the database (uid: name and resourceVersion, -database +answers):\n%s", diff)
			}
			goesOn(s)
		})
	}
}

// headsOf returns a database's existing objects, by uid, and its newest revision.
func headsOf(t *testing.T, database string) (heads map[string]string, revision int64) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) //nolint:errcheck // it is only read
	if err := conn.QueryRow(t.Context(), "SELECT value FROM public.revision").Scan(&revision); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "SELECT uid::text, namespace || '/' || name, revision FROM public.objects WHERE revision > 0 AND resource NOT LIKE '%.rowlock.io'")
	if err != nil {
		t.Fatal(err)
	}
	heads = map[string]string{}
	var uid, name string
	var at int64
	if _, err := pgx.ForEachRow(rows, []any{&uid, &name, &at}, func() error {
		heads[uid] = fmt.Sprintf("%s %d", name, at)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return heads, revision
}

// objectsAt returns the lists of all kinds at a revision, in the form of headsOf.
func objectsAt(s *clustertest.Site, revision int64) map[string]string {
	s.T.Helper()
	all := map[string]string{}
	for _, path := range clustertest.StoredLists() {
		var list struct {
			Items []struct{ Metadata metav1.ObjectMeta }
		}
		s.Get(fmt.Sprintf("%s?resourceVersion=%d&resourceVersionMatch=Exact", path, revision), &list)
		for _, item := range list.Items {
			m := item.Metadata
			all[string(m.UID)] = fmt.Sprintf("%s/%s %s", m.Namespace, m.Name, m.ResourceVersion)
		}
	}
	return all
}

// goesOn checks that work which the old version has begun continues.
func goesOn(s *clustertest.Site) {
	t := s.T
	t.Helper()
	log := "/api/v1/namespaces/default/pods/" + s.PodOf("tally") + "/log"
	before := strings.Fields(string(s.Do("GET", log, "")))
	s.Advance("30s")
	counted := strings.Fields(string(s.Do("GET", log, "")))
	if len(counted) != len(before)+30 || counted[len(counted)-1] != fmt.Sprint(len(counted)) {
		t.Errorf("the program that counts seconds said %v, and 30 seconds later %v", before, counted)
	}
	var failed struct{ Status struct{ Failed int } }
	if s.Get("/apis/batch/v1/namespaces/default/jobs/fails", &failed); failed.Status.Failed != 3 {
		t.Errorf("the Job that backs off has failed %d times, want 3", failed.Status.Failed)
	}

	web := "/apis/apps/v1/namespaces/shop/deployments/web"
	s.Do("PUT", web+"/scale", `{"metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":12}}`)
	s.Advance("1s")
	var deployment appsv1.Deployment
	s.Get(web, &deployment)
	if deployment.Status.Replicas != 8 { // pods: 8
		t.Errorf("the Deployment has %d Pods, want the 8 that its quota allows", deployment.Status.Replicas)
	}
	port := `{"metadata":{"name":"other"},"spec":{"type":"NodePort","ports":[{"port":80,"nodePort":30080}]}}`
	if message := s.Refused(422, "POST", "/api/v1/namespaces/default/services", port); !strings.Contains(message, "already allocated") {
		t.Errorf("a port that another Service has is refused with: %s", message)
	}

	settings := "/api/v1/namespaces/shop/configmaps/settings"
	for range 2 { // the third is the first to succeed, because one has already happened
		s.Refused(409, "DELETE", settings, "")
	}
	s.Do("DELETE", settings, "")
	s.Do("POST", "/rowlock/v1/snapshots/before/load", `{"replace":true}`)
	var cm struct{ Data map[string]string }
	if s.Get(settings, &cm); cm.Data["colour"] != "blue" {
		t.Errorf("after the old snapshot was loaded, the ConfigMap has %v", cm.Data)
	}
	s.Refused(404, "GET", "/api/v1/namespaces/default/configmaps/later", "")
}
