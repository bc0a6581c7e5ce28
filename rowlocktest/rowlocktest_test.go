package rowlocktest_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/rowlocktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, pgtest.ServerGoroutines()...) }

// connect starts a cluster and makes a client of it that leaves no connection behind.
func connect(t testing.TB, opts ...rowlocktest.Option) kubernetes.Interface {
	t.Helper()
	config := rowlocktest.Start(t, opts...)
	httpClient, err := newHTTPClient(t, config)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfigAndClient(config, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestStart_RunsADeploymentsPods(t *testing.T) {
	t.Parallel()
	client := connect(t)
	labels, replicas := map[string]string{"app": "web"}, int32(3)
	_, err := client.AppsV1().Deployments("default").Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "nginx", Image: "nginx:1.29"}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	awaitAvailable(ctx, t, client, "web", replicas)
}

func TestStart_HasWhatAClusterBeginsWith(t *testing.T) {
	t.Parallel()
	client := connect(t, rowlocktest.WithNodes(2))
	var got []string
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes.Items {
		got = append(got, "node/"+n.Name)
	}
	namespaces, err := client.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range namespaces.Items {
		got = append(got, "namespace/"+n.Name)
	}
	want := []string{
		"node/node-1", "node/node-2",
		"namespace/default", "namespace/kube-node-lease", "namespace/kube-public", "namespace/kube-system",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the cluster begins with something else (-want +got):\n%s", diff)
	}
}

// TestStart_WithoutControllers: without controllers a namespace has no account, and its deletion
// does not finish, as with an API server alone.
func TestStart_WithoutControllers(t *testing.T) {
	t.Parallel()
	client := connect(t, rowlocktest.WithControllers(), rowlocktest.WithNodes(0))
	if _, err := client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "left"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := client.CoreV1().Namespaces().Delete(t.Context(), "left", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	ns, err := client.CoreV1().Namespaces().Get(t.Context(), "left", metav1.GetOptions{})
	if err != nil || ns.Status.Phase != corev1.NamespaceTerminating {
		t.Errorf("the namespace is %+v, %v; want it to be terminating", ns, err)
	}
	accounts, err := client.CoreV1().ServiceAccounts("").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(accounts.Items) > 0 {
		t.Errorf("there are %d accounts, %v", len(accounts.Items), err)
	}
}

func TestStart_GivesEachTestItsOwnCluster(t *testing.T) {
	t.Parallel()
	for i := range 3 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			mine := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
			if _, err := connect(t).CoreV1().ConfigMaps("default").Create(t.Context(), mine, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestStart_EndsWithItsTest(t *testing.T) {
	t.Parallel()
	var client kubernetes.Interface
	t.Run("has a cluster", func(t *testing.T) {
		client = connect(t)
		// A watch that the test leaves behind does not delay the end.
		if _, err := client.CoreV1().Pods("").Watch(context.WithoutCancel(t.Context()), metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
	})
	_, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err == nil || apierrors.ReasonForError(err) != metav1.StatusReasonUnknown {
		t.Errorf("after the test there is still somebody who answers: %v", err)
	}
}

// BenchmarkStart measures how long a test waits for its cluster's first answer.
func BenchmarkStart(b *testing.B) {
	connect(b) // starts the server and makes the template
	for b.Loop() {
		one := &ending{TB: b}
		if _, err := connect(one).CoreV1().Nodes().Get(b.Context(), "node-1", metav1.GetOptions{}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		one.end()
		b.StartTimer()
	}
}

// ending is a test that the benchmark ends.
type ending struct {
	testing.TB
	cleanups []func()
}

func (e *ending) Cleanup(f func()) { e.cleanups = append(e.cleanups, f) }

func (e *ending) end() {
	for i := range e.cleanups {
		e.cleanups[len(e.cleanups)-1-i]()
	}
}

// newHTTPClient makes the HTTP client of a configuration and closes its idle connections when t
// ends, so that the leak check finds none of its goroutines.
func newHTTPClient(t testing.TB, config *rest.Config) (*http.Client, error) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err == nil {
		t.Cleanup(client.CloseIdleConnections)
	}
	return client, err
}
