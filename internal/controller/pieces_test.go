package controller_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
)

// crowd stores Pods on a node.
func (r replica) crowd(n int, node string, shape func(*corev1.Pod)) {
	r.T.Helper()
	var pods []object.Object
	for i := range n {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("p-%05d", i), CreationTimestamp: metav1.Time{Time: start}}}
		pod.Spec.NodeName = node
		shape(pod)
		pods = append(pods, pod)
	}
	r.createAll(pods)
	r.fresh()
}

// fresh makes the replica's mirror catch up with the database.
func (r replica) fresh() {
	r.T.Helper()
	if err := r.Mirror.Fresh(r.T.Context()); err != nil {
		r.T.Fatal(err)
	}
}

// takeTurns makes the controller's workers of the replicas take turns until none has anything to
// do, and returns how many turns there were.
func takeTurns(t *testing.T, name string, replicas ...replica) (turns int) {
	t.Helper()
	for idle := 0; idle < len(replicas); turns++ {
		r := replicas[turns%len(replicas)]
		r.fresh()
		idle++
		if w := engine.New(r.Deps, controllerNamed(t, world.World{Kinds: r.Kinds}, name)); len(r.Turn(w).Claims) > 0 {
			idle = 0
		}
	}
	return turns - len(replicas)
}

// TestEviction_InPieces: two replicas evict, while a Pod appears behind their current place: all
// Pods are evicted when they are due.
func TestEviction_InPieces(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	node := r.Create(nodelifecycle.DefaultNode(1, nil, start))
	tolerates := func(pod *corev1.Pod) {
		pod.Spec.Tolerations = []corev1.Toleration{{Key: "repair", Operator: corev1.TolerationOpExists, TolerationSeconds: new(int64(60))}}
	}
	r.crowd(2300, "node-1", tolerates)
	other := joinReplica(t, r.URL, mirror.Config{})
	changed(r, node, func(n *corev1.Node) {
		n.Spec.Taints = []corev1.Taint{{Key: "repair", Effect: corev1.TaintEffectNoExecute}}
	})
	r.fresh()
	r.Turn(engine.New(r.Deps, controllerNamed(t, world.World{Kinds: r.Kinds}, names.TaintEviction)))
	newcomer := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a-newcomer", CreationTimestamp: metav1.Time{Time: start}}}
	newcomer.Spec.NodeName = "node-1"
	tolerates(newcomer)
	r.Create(newcomer)
	if turns := takeTurns(t, names.TaintEviction, other, r); turns > 6 {
		t.Errorf("it takes %d turns to schedule what fits in two pieces", turns)
	}
	r.Advance(59 * time.Second)
	takeTurns(t, names.TaintEviction, other, r)
	left := func() (n int) {
		r.fresh()
		r.View(func(v mirror.View) {
			v.EachIn(mirror.PodsByNode, "node-1", func(o *object.Version) {
				if o.Object().GetDeletionTimestamp() == nil {
					n++
				}
			})
		})
		return n
	}
	if n := left(); n != 2301 {
		t.Errorf("before they are due, %d of 2301 Pods are left", n)
	}
	r.Advance(time.Minute)
	takeTurns(t, names.TaintEviction, other, r)
	if n := left(); n > 0 {
		t.Errorf("%d Pods are left", n)
	}
}

// woken returns the names of the Pods whose kubelets have been woken, in order. They have synced
// then.
func (r replica) woken() (names []string) {
	r.T.Helper()
	rows, err := r.Pool.Query(r.T.Context(), `WITH w AS (DELETE FROM wakeups WHERE controller = 'kubelet' RETURNING uid)
		SELECT DISTINCT o.name FROM w JOIN objects o ON o.uid = w.uid ORDER BY o.name`)
	if err != nil {
		r.T.Fatal(err)
	}
	if names, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		r.T.Fatal(err)
	}
	return names
}

// turnOf takes one turn of a controller.
func (r replica) turnOf(name string) engine.Turn {
	r.T.Helper()
	r.fresh()
	return r.Turn(engine.New(r.Deps, controllerNamed(r.T, world.World{Kinds: r.Kinds}, name)))
}

// TestConfiguration_InPieces: two replicas; all readers see a change that happens after some of
// them have synced.
func TestConfiguration_InPieces(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	settings := r.ConfigMap("settings")
	const readers = 2*500 + 100
	r.crowd(readers, "node-1", func(pod *corev1.Pod) {
		ref := corev1.LocalObjectReference{Name: "settings"}
		pod.Spec.Containers = []corev1.Container{{Name: "c", Image: "nginx", EnvFrom: []corev1.EnvFromSource{{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: ref}}}}}
	})
	other := joinReplica(t, r.URL, mirror.Config{})
	r.woken()
	settings = r.Touch(settings, "new")
	r.turnOf(names.Configuration)
	if n := len(r.woken()); n != 500 {
		t.Errorf("one turn wakes %d kubelets, not 500", n)
	}
	r.Touch(settings, "newer")
	if turns := takeTurns(t, names.Configuration, other, r); turns > 7 {
		t.Errorf("it takes %d turns more", turns)
	}
	if n := len(r.woken()); n != readers {
		t.Errorf("%d of %d readers are woken by the last change", n, readers)
	}
	var left int
	if err := r.Pool.QueryRow(t.Context(), "SELECT count(*) FROM memories").Scan(&left); err != nil || left > 0 {
		t.Errorf("%d memories are left, %v", left, err)
	}
}

// TestQuota_CountedInPieces: two replicas count, while objects are created and deleted before and
// after the current place of the count.
func TestQuota_CountedInPieces(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	other := joinReplica(t, r.URL, mirror.Config{})
	const there = 2300
	var maps []object.Object
	for i := range there {
		maps = append(maps, configMap(fmt.Sprintf("c-%05d", i)))
	}
	r.createAll(maps)
	r.Create(quota("many", amounts("configmaps", "100000", "count/configmaps", "100000")))
	var gone []*object.Version
	for _, name := range []string{"c-00003", "c-02200"} {
		r.View(func(v mirror.View) {
			gone = append(gone, v.Get(object.Key{Resource: "configmaps", Namespace: "default", Name: name}))
		})
	}
	pieces := 0
	for counting := true; counting; pieces++ {
		if pieces > 10 {
			t.Fatal("the count does not end")
		}
		one := []replica{r, other}[pieces%2]
		one.turnOf(names.ResourceQuota)
		one.ConfigMap(fmt.Sprint("a-", pieces))
		one.ConfigMap(fmt.Sprint("z-", pieces))
		if pieces < len(gone) {
			one.Remove(gone[pieces])
		}
		if err := r.Pool.QueryRow(t.Context(), "SELECT counting FROM quotas").Scan(&counting); err != nil {
			t.Fatal(err)
		}
	}
	takeTurns(t, names.ResourceQuota, other, r)
	want := fmt.Sprint(there + 2*pieces - len(gone))
	if diff := cmp.Diff(map[corev1.ResourceName]string{"configmaps": want, "count/configmaps": want}, r.used("many")); diff != "" || pieces < 3 {
		t.Errorf("after %d pieces:\n%s", pieces, diff)
	}
}

// TestNodePods_InPieces: two replicas; when a node is back, the kubelets of all its Pods are woken,
// including those that were woken before it failed and came back once more. Scheduled evictions
// stay remembered.
func TestNodePods_InPieces(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	node := r.Create(nodelifecycle.DefaultNode(1, nil, start))
	const there = 2*500 + 100
	r.crowd(there, "node-1", func(pod *corev1.Pod) {
		pod.Spec.Tolerations = []corev1.Toleration{{Key: "repair", Operator: corev1.TolerationOpExists, TolerationSeconds: new(int64(60))}}
	})
	node = changed(r, node, func(n *corev1.Node) {
		n.Spec.Taints = []corev1.Taint{{Key: "repair", Effect: corev1.TaintEffectNoExecute}}
	})
	other := joinReplica(t, r.URL, mirror.Config{})
	r.woken()
	r.turnOf(names.NodePods)
	r.turnOf(names.TaintEviction)
	if n := len(r.woken()); n != 500 {
		t.Errorf("one turn wakes %d kubelets, not 500", n)
	}
	for _, record := range []string{"failed 2100-01-01T00:00:00Z", "failed 2100-01-01T00:00:00Z 2100-01-01T00:00:00Z"} {
		node = changed(r, node, func(n *corev1.Node) { n.Annotations = map[string]string{outage.Record: record} })
	}
	if turns := takeTurns(t, names.NodePods, other, r); turns > 7 {
		t.Errorf("it takes %d turns more", turns)
	}
	if n := len(r.woken()); n != there {
		t.Errorf("%d of %d kubelets are woken when the node is back again", n, there)
	}
	r.Advance(59 * time.Second)
	if claims := r.turnOf(names.TaintEviction).Claims; len(claims) > 0 {
		t.Errorf("Pods are looked at before their time")
	}
	r.Advance(time.Minute)
	if p := r.turnOf(names.TaintEviction).Planned; len(p) != 1 || len(p[0].Plan.Updates) != 500 {
		t.Errorf("what was scheduled is not carried out: %v", p)
	}
}
