package cluster_test

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestEventsExpireAnHourAfterTheyWereLastWritten: they do not expire before.
// Source: kubernetes v1.36 cmd/kube-apiserver, --event-ttl.
func TestEventsExpireAnHourAfterTheyWereLastWritten(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, Nodes: 1, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer replica.Close()
	server := httptest.NewServer(replica.Handler())
	defer server.Close()
	events := kubernetes.NewForConfigOrDie(&rest.Config{Host: server.URL, QPS: -1}).CoreV1().Events("default")
	create := func(name string) {
		_, err := events.Create(t.Context(), &corev1.Event{
			ObjectMeta:     metav1.ObjectMeta{Name: name},
			InvolvedObject: corev1.ObjectReference{Namespace: "default", Kind: "Pod", Name: "p"},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	pool := clustertest.Pool(t, url)
	forward := func(d time.Duration) {
		if _, err := pool.Exec(t.Context(), "UPDATE clock SET anchor_cluster = anchor_cluster + $1::interval", d); err != nil {
			t.Fatal(err)
		}
	}
	create("old")
	forward(50 * time.Minute)
	create("young")
	forward(11 * time.Minute)
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		_, err := events.Get(t.Context(), "old", metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			break
		}
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("the old event is still there, or: %v", err)
		}
	}
	if _, err := events.Get(t.Context(), "young", metav1.GetOptions{}); err != nil {
		t.Errorf("the young event: %v", err)
	}
}
