package cluster_test

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	clocks "github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestOpen_ControllersThatAreOff: a controller that is off does nothing, and nothing waits for it.
// When it runs again, it does what it has missed.
func TestOpen_ControllersThatAreOff(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	client, clock, stop := openWith(t, url, "*", "-replicaset", "-garbagecollector")
	labels := map[string]string{"app": "web"}
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: appsv1.ReplicaSetSpec{
		Replicas: new(int32(2)), Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx:1.29"}}}},
	}}
	set, err := client.AppsV1().ReplicaSets("default").Create(t.Context(), set, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// A Pod that its selector matches wakes it, and so does the end of that Pod; both wakeups are
	// acknowledged, and the clock continues.
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "stray", Labels: labels}, Spec: set.Spec.Template.Spec}
	if _, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	foreground := metav1.DeletePropagationForeground
	if err := client.AppsV1().ReplicaSets("default").Delete(t.Context(), "web", metav1.DeleteOptions{PropagationPolicy: &foreground}); err != nil {
		t.Fatal(err)
	}
	clock(t)
	pods, err := client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(pods.Items) != 1 || len(pods.Items[0].OwnerReferences) > 0 {
		t.Errorf("there are %d Pods, %v; want the stray one, without an owner", len(pods.Items), err)
	}
	if _, err := client.AppsV1().ReplicaSets("default").Get(t.Context(), "web", metav1.GetOptions{}); err != nil {
		t.Errorf("the ReplicaSet waits for the collector: %v", err)
	}
	stop()

	client, clock, stop = openWith(t, url)
	defer stop()
	clock(t)
	sets, err := client.AppsV1().ReplicaSets("default").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(sets.Items) > 0 {
		t.Errorf("the collector is back, and there are %d ReplicaSets, %v", len(sets.Items), err)
	}
}

func TestOpen_RefusesUnknownControllers(t *testing.T) {
	t.Parallel()
	_, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: "postgres://nowhere", Controllers: []string{"jobs"}, Log: slog.New(slog.DiscardHandler)})
	if err == nil {
		t.Error("a name that is unknown is not a choice")
	}
}

// openWith opens a replica with a choice of controllers. clock advances its time by a minute,
// including all work due.
func openWith(t *testing.T, url string, controllers ...string) (client kubernetes.Interface, clock func(*testing.T), stop func()) {
	t.Helper()
	replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, Nodes: 1, Controllers: controllers, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(replica.Handler())
	client = kubernetes.NewForConfigOrDie(&rest.Config{Host: server.URL, QPS: -1})
	clock = func(t *testing.T) {
		t.Helper()
		if _, err := replica.Clock().AdvanceBy(t.Context(), time.Minute); err != nil {
			t.Fatal(err)
		}
		if s, err := replica.Clock().AwaitEnd(t.Context()); err != nil || s.Advance.Phase != clocks.Done {
			t.Fatalf("the advance is %+v, %v", s.Advance, err)
		}
	}
	return client, clock, func() {
		server.CloseClientConnections()
		server.Close()
		replica.Close()
	}
}
