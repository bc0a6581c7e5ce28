package cluster_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestOpen_PublishesTheRootCA: a replica that starts with another authority replaces the previous
// certificate in all namespaces.
func TestOpen_PublishesTheRootCA(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	for _, bundle := range []string{"first\n", "second\n", ""} {
		func() {
			replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, CABundle: bundle, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			defer replica.Close()
			server := httptest.NewServer(replica.Handler())
			defer server.Close()
			client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: server.URL, QPS: -1}, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}})
			if err != nil {
				t.Fatal(err)
			}
			for _, namespace := range []string{"default", "kube-system"} {
				clustertest.Await(t, namespace+" has the certificate "+bundle, func(ctx context.Context) bool {
					cm, err := client.CoreV1().ConfigMaps(namespace).Get(ctx, "kube-root-ca.crt", metav1.GetOptions{})
					return err == nil && cm.Data["ca.crt"] == bundle
				})
			}
		}()
	}
}

// TestOpen_ADatabaseWithoutResources: while the database's disk is full, writes are refused with
// 503 and the reason, no object is blamed, and everything continues once there is room.
func TestOpen_ADatabaseWithoutResources(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	client, stop := open(t, url)
	defer stop()
	database := clustertest.Pool(t, url)
	exec := func(sql string) {
		t.Helper()
		if _, err := database.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(`CREATE SEQUENCE refused;
		CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			PERFORM nextval('refused'); -- which no rollback undoes
			RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
		END $$;
		CREATE TRIGGER full_disk BEFORE INSERT ON log FOR EACH ROW WHEN (NEW.resource IN ('configmaps', 'replicasets.apps')) EXECUTE FUNCTION full_disk()`)
	labels := map[string]string{"app": "web"}
	web := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: appsv1.DeploymentSpec{
		Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "nginx:1.29"}}}},
	}}
	if _, err := client.AppsV1().Deployments("default").Create(t.Context(), web, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	clustertest.Await(t, "the Deployment's controller has been refused", func(ctx context.Context) bool {
		var refused int
		return database.QueryRow(ctx, "SELECT last_value FROM refused WHERE is_called").Scan(&refused) == nil && refused >= 3
	})
	const want = "the database has no resources left: could not extend file: No space left on device"
	if err := createOnce(t, client, "note"); !apierrors.IsServiceUnavailable(err) || err.Error() != want {
		t.Errorf("got %v, want 503 with %q", err, want)
	}
	exec("DROP TRIGGER full_disk ON log")
	if err := createOnce(t, client, "note"); err != nil {
		t.Errorf("with room again: %v", err)
	}
	clustertest.Await(t, "the Deployment is available", func(ctx context.Context) bool {
		d, err := client.AppsV1().Deployments("default").Get(ctx, "web", metav1.GetOptions{})
		return err == nil && d.Status.AvailableReplicas == 1
	})
	events, err := client.CoreV1().Events("default").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events.Items {
		if e.Reason == "FailedSync" {
			t.Errorf("an object was blamed: %s", e.Message)
		}
	}
}

// TestOpen_ADatabaseThatANewerVersionHasChanged: a replica that still runs refuses writes, and says
// why.
func TestOpen_ADatabaseThatANewerVersionHasChanged(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	client, stop := open(t, url)
	defer stop()
	database := clustertest.Pool(t, url)
	if _, err := database.Exec(t.Context(), "DROP FUNCTION apply_write; DROP FUNCTION apply"); err != nil {
		t.Fatal(err)
	}
	err := createOnce(t, client, "note")
	const want = "this replica does not match the database, which a newer Rowlock may have migrated: function "
	if !apierrors.IsServiceUnavailable(err) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want 503 with %q", err, want)
	}
}

// createOnce creates a ConfigMap. It does not retry, as clients otherwise do when they get 503.
func createOnce(t *testing.T, client kubernetes.Interface, name string) error {
	t.Helper()
	return client.CoreV1().RESTClient().Post().Namespace("default").Resource("configmaps").
		Body(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}).MaxRetries(0).Do(t.Context()).Error()
}

// journal is a log in memory, safe for concurrent writes.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// TestOpen_WarnsOnceOfWhatLasts: while a worker cannot work, it fails repeatedly, as its metric
// shows, and warns once.
func TestOpen_WarnsOnceOfWhatLasts(t *testing.T) {
	t.Parallel()
	var log journal
	url := pgtest.NewURL(t)
	replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer replica.Close()
	database := clustertest.Pool(t, url)
	if _, err := database.Exec(t.Context(), "ALTER TABLE wakeups RENAME TO elsewhere"); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for !strings.Contains(metrics(replica), `rowlock_worker_failures_total{controller="kubelet"} 3`) {
		if time.Now().After(deadline) {
			t.Fatalf("the worker does not fail:\n%s", log.String())
		}
		time.Sleep(5 * time.Millisecond)
	}
	warnings := 0
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, `msg="a turn was rolled back" controller=kubelet `) {
			warnings++
		}
	}
	if warnings != 1 {
		t.Errorf("%d warnings, want 1:\n%s", warnings, log.String())
	}
}

// metrics returns what the replica exposes.
func metrics(replica *cluster.Cluster) string {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "http://127.0.0.1/metrics", nil)
	replica.Handler().ServeHTTP(w, r)
	return w.Body.String()
}
