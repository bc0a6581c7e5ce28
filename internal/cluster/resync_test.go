package cluster_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// resynced is a cluster with a resync so frequent that tests need not wait for minutes.
type resynced struct {
	kubernetes.Interface
	url  string
	pool *pgxpool.Pool
}

func newResynced(t *testing.T) resynced {
	t.Helper()
	url := pgtest.NewURL(t)
	replica, err := cluster.Open(t.Context(), cluster.Config{
		DatabaseURL: url, Nodes: 1, Resync: 50 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(replica.Close)
	server := httptest.NewServer(replica.Handler())
	t.Cleanup(server.Close)
	return resynced{kubernetes.NewForConfigOrDie(&rest.Config{Host: server.URL, QPS: -1}), server.URL, clustertest.Pool(t, url)}
}

// counts returns a counter's nonzero values, by controller.
func (r resynced) counts(t *testing.T, name string) map[string]int {
	t.Helper()
	res, err := http.Get(r.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // it is read
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^`+name+`\{controller="(\w+)"\} (\d+)$`).FindAllSubmatch(body, -1) {
		if n, err := strconv.Atoi(string(m[2])); err == nil && n != 0 {
			counts[string(m[1])] = n
		}
	}
	return counts
}

// create creates a ReplicaSet of n Pods that request this much CPU each.
func (r resynced) create(t *testing.T, name string, n int32, cpu string) {
	t.Helper()
	labels := map[string]string{"app": name}
	container := corev1.Container{Name: "main", Image: "nginx:1.29"}
	container.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	_, err := r.AppsV1().ReplicaSets("default").Create(t.Context(), &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &n, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{container}}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func (r resynced) status(ctx context.Context, name string) appsv1.ReplicaSetStatus {
	set, err := r.AppsV1().ReplicaSets("default").Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return appsv1.ReplicaSetStatus{}
	}
	return set.Status
}

// TestResync_FindsWhatALostWakeupWasAbout: the resync makes up for a lost wakeup, which cannot
// happen, and counts it.
func TestResync_FindsWhatALostWakeupWasAbout(t *testing.T) {
	t.Parallel()
	r := newResynced(t)
	const lose = `
		CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
		CREATE TRIGGER lose BEFORE INSERT ON wakeups FOR EACH ROW WHEN (NEW.controller = 'replicaset' AND NEW.cause >= 0) EXECUTE FUNCTION lose()`
	if _, err := r.pool.Exec(t.Context(), lose); err != nil {
		t.Fatal(err)
	}
	r.create(t, "web", 3, "1")
	clustertest.Await(t, "the Pods are there and counted in the status", func(ctx context.Context) bool { return r.status(ctx, "web").ReadyReplicas == 3 })
	if found := r.counts(t, "rowlock_worker_resync_found_total"); found["replicaset"] == 0 || len(found) != 1 {
		t.Errorf("the resync has found %v, and there was something to find for the ReplicaSet, and for nothing else", found)
	}
}

// TestResync_FindsNothing: if no wakeup is lost, the resync finds nothing, during activity and when
// all is quiet: neither for Pods that run, nor for Pods that fit on no node, nor for objects being
// deleted.
func TestResync_FindsNothing(t *testing.T) {
	t.Parallel()
	r := newResynced(t)
	r.create(t, "fits", 20, "1")
	r.create(t, "too-big", 2, "1000")
	clustertest.Await(t, "the Pods that fit are ready", func(ctx context.Context) bool {
		return r.status(ctx, "fits").ReadyReplicas == 20 && r.status(ctx, "too-big").Replicas == 2
	})
	foreground := metav1.DeletePropagationForeground
	r.create(t, "goes", 5, "1")
	if err := r.AppsV1().ReplicaSets("default").Delete(t.Context(), "goes", metav1.DeleteOptions{PropagationPolicy: &foreground}); err != nil {
		t.Fatal(err)
	}
	before := r.counts(t, "rowlock_worker_resync_syncs_total")
	clustertest.Await(t, "two passes more", func(context.Context) bool {
		now := r.counts(t, "rowlock_worker_resync_syncs_total")
		return now["kubelet"] >= before["kubelet"]+44 && now["scheduler"] > before["scheduler"] && now["garbagecollector"] >= before["garbagecollector"]+44 &&
			now["replicaset"] >= before["replicaset"]+4
	})
	if diff := cmp.Diff(map[string]int{}, r.counts(t, "rowlock_worker_resync_found_total")); diff != "" {
		t.Errorf("the resync has found what there was not to find (-want +got):\n%s", diff)
	}
}

// TestResync_MayComeBeforeThePodsOfABudget: a budget uses how many Pods a ReplicaSet asks for, and
// is woken by those Pods. It is not a defect if the resync comes before them, as while the database
// restarts.
func TestResync_MayComeBeforeThePodsOfABudget(t *testing.T) {
	t.Parallel()
	r := newResynced(t)
	r.create(t, "web", 3, "1")
	_, err := r.PolicyV1().PodDisruptionBudgets("default").Create(t.Context(), &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: policyv1.PodDisruptionBudgetSpec{
			MaxUnavailable: new(intstr.FromInt32(1)), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	expects := func(n int32) {
		t.Helper()
		clustertest.Await(t, "the budget expects "+strconv.Itoa(int(n))+" Pods", func(ctx context.Context) bool {
			b, err := r.PolicyV1().PodDisruptionBudgets("default").Get(ctx, "web", metav1.GetOptions{})
			return err == nil && b.Status.ExpectedPods == n
		})
	}
	expects(3)
	clustertest.Await(t, "the Pods are ready", func(ctx context.Context) bool { return r.status(ctx, "web").ReadyReplicas == 3 })
	const later = `
		CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.due := NEW.due + interval '50 s'; RETURN NEW; END$$;
		CREATE TRIGGER later BEFORE INSERT ON wakeups FOR EACH ROW WHEN (NEW.controller = 'replicaset' AND NEW.cause >= 0) EXECUTE FUNCTION later()`
	if _, err := r.pool.Exec(t.Context(), later); err != nil {
		t.Fatal(err)
	}
	if _, err := r.AppsV1().ReplicaSets("default").Patch(t.Context(), "web", types.MergePatchType, []byte(`{"spec":{"replicas":4}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	expects(4)
	if found := r.counts(t, "rowlock_worker_resync_found_total"); len(found) > 0 {
		t.Errorf("the resync has found %v", found)
	}
}
