package chaos_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/server"
	"github.com/rowlock/rowlock/test/basebackup"
)

// TestRecovery_ToAPointInTime: somebody deletes what they should have kept. PostgreSQL recovers from
// a base backup and the archived WAL to the moment before, as docs/guide/operating.md describes. The
// new replicas have everything acknowledged until then, and nothing of later; workloads go on; and
// clients that know lost revisions get 410 and never a wrong answer.
func TestRecovery_ToAPointInTime(t *testing.T) {
	dir := serverDir(t)
	archive, data := filepath.Join(dir, "archive"), filepath.Join(dir, "data")
	database := startArchived(t, data, archive)
	before := newClients(newFleet(t, database.URL(), 2))
	before.createDeployment("web", 10)
	before.awaitSettled(map[string]int{"web": 10})
	before.note("in-the-backup")
	restored, err := basebackup.Take(t.Context(), database.URL(), data, filepath.Join(dir, "restored"), "--wal-method=none")
	if err != nil {
		t.Fatal(err)
	}
	kept := before.note("in-the-archive")
	moment := query[time.Time](t, database, "SELECT clock_timestamp()")

	deployments := before.any().AppsV1().Deployments(namespace)
	if err := deployments.Delete(t.Context(), "web", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	before.awaitSettled(map[string]int{})
	lost := before.note("lost")
	segment := query[string](t, database, "SELECT pg_walfile_name(pg_switch_wal())")
	eventually(t, "the last segment of the WAL is archived", func() bool {
		_, err := os.Stat(filepath.Join(archive, segment))
		return err == nil
	})
	for _, r := range before.replicas {
		r.kill()
	}
	_ = database.Stop(context.Background()) // nothing of it is used any more

	for name, value := range map[string]string{
		"archive_mode":           "off",
		"restore_command":        "cp " + archive + "/%f %p",
		"recovery_target_time":   moment.Format("2006-01-02 15:04:05.999999-07:00"),
		"recovery_target_action": "promote",
	} {
		if err := restored.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := restored.Recover(); err != nil {
		t.Fatal(err)
	}
	recovered := startServer(t, restored.Dir)
	eventually(t, "the server has recovered", func() bool { return !query[bool](t, recovered, "SELECT pg_is_in_recovery()") })
	after := newClients(newFleet(t, recovered.URL(), 2))
	after.awaitSettled(map[string]int{"web": 10})
	for name, want := range map[string]bool{"in-the-backup": true, "in-the-archive": true, "lost": false} {
		_, err := after.any().CoreV1().ConfigMaps(namespace).Get(t.Context(), name, metav1.GetOptions{})
		if err != nil && !apierrors.IsNotFound(err) || (err == nil) != want {
			t.Errorf("the ConfigMap %s: %v", name, err)
		}
	}
	for _, r := range after.replicas {
		r.refusesBefore(kept, kept+1, lost)
	}
	after.patchDeployment("web", scaleTo(15))
	after.awaitSettled(map[string]int{"web": 15})
	if next := after.note("next"); next <= lost {
		t.Errorf("revision %d was given after %d was known to clients", next, lost)
	}
	after.awaitResync(15)
}

// startArchived starts a server that copies its WAL to a directory.
func startArchived(t *testing.T, data, archive string) *server.Server {
	t.Helper()
	if err := os.Mkdir(archive, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(archive, 0o777); err != nil { // the server may run as another user
		t.Fatal(err)
	}
	s := startServer(t, data)
	for _, setting := range []string{"archive_mode = on", "archive_command = 'cp %p " + archive + "/%f'"} {
		query[string](t, s, "ALTER SYSTEM SET "+setting)
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	return startServer(t, data)
}

// query sends a statement and returns the value of its only row, if it has one.
func query[T any](t *testing.T, s *server.Server, statement string) (value T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // the statement is done
	rows, err := conn.Query(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	if len(values) == 0 {
		return value
	}
	return values[0]
}

// note creates a ConfigMap and returns its revision.
func (c *clients) note(name string) object.Revision {
	c.t.Helper()
	created, ok := do(c, "configmaps", func(ctx context.Context, client kubernetes.Interface) (*corev1.ConfigMap, error) {
		return client.CoreV1().ConfigMaps(namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	})
	if !ok {
		c.t.FailNow()
	}
	return object.RevisionOf(created)
}

// refusesBefore checks that lists and watches at these revisions end with 410.
func (r *replica) refusesBefore(revisions ...object.Revision) {
	r.t.Helper()
	for _, known := range revisions {
		at := strconv.FormatInt(int64(known), 10)
		for _, path := range []string{configMapsPath + "?resourceVersionMatch=Exact&resourceVersion=" + at, configMapsPath + "?watch=true&timeoutSeconds=5&resourceVersion=" + at} {
			code, body := (&target{&clients{fleet: r.fleet}, r.url, http.DefaultClient}).send(http.MethodGet, path, "")
			if code != http.StatusGone && !strings.Contains(body, `"code":410`) {
				r.t.Errorf("%s: GET %s is answered with %d %.200s", r.name, path, code, body)
			}
		}
	}
}
