package controller_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
)

// collector is the garbage collector's worker.
func (r replica) collector() *engine.Worker {
	r.T.Helper()
	for _, c := range controller.Controllers(world.World{Kinds: r.Kinds, Expiry: world.NewExpiry()}) {
		if c.Name == names.GarbageCollector {
			return engine.New(r.Deps, c)
		}
	}
	r.T.Fatal("there is no garbage collector")
	return nil
}

// TestGarbage_FindsOwners: they are found by kind, name and namespace, and their uids compared:
// what the collector is shown decides whether the object stays.
func TestGarbage_FindsOwners(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	r.Create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other"}})
	node := r.Create(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}})
	owner := r.ConfigMap("owner")
	elsewhere := configMap("elsewhere")
	elsewhere.Namespace = "other"
	far := r.Create(elsewhere)
	ref := func(apiVersion, kind, name string, uid types.UID) metav1.OwnerReference {
		return metav1.OwnerReference{APIVersion: apiVersion, Kind: kind, Name: name, UID: uid}
	}
	deletion := func(name string) string {
		return "deleted configmaps/default/" + name + " by generic-garbage-collector"
	}
	tests := []struct {
		name string
		ref  metav1.OwnerReference
		want []string
	}{
		{"alive", ref("v1", "ConfigMap", "owner", owner.UID), nil},
		{"absent", ref("v1", "ConfigMap", "nobody", newUID()), []string{deletion("absent")}},
		{"of-another-uid", ref("v1", "ConfigMap", "owner", newUID()), []string{deletion("of-another-uid")}},
		{"cluster-scoped", ref("v1", "Node", "node-1", node.UID), nil},
		{"cluster-scoped-absent", ref("v1", "Node", "node-2", newUID()), []string{deletion("cluster-scoped-absent")}},
		{"unknown-kind", ref("example.com/v1", "Widget", "w", newUID()), nil},
		{"no-version", ref("a/b/c", "ConfigMap", "owner", owner.UID), nil},
		{"in-another-namespace", ref("v1", "ConfigMap", "elsewhere", far.UID), []string{
			`created event OwnerRefInvalidNamespace ownerRef [v1/ConfigMap, namespace: default, name: elsewhere, uid: ` + string(far.UID) +
				`] does not exist in namespace "default" x1 by generic-garbage-collector`,
			deletion("in-another-namespace"),
		}},
	}
	for _, test := range tests {
		cm := configMap(test.name)
		cm.OwnerReferences = []metav1.OwnerReference{test.ref}
		dependent := r.Create(cm)
		r.Turn(r.collector())
		got := r.History(dependent.Revision)
		if len(got) == 2 { // a plan orders deletions before events
			got[0], got[1] = got[1], got[0]
		}
		if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestGarbage_WakesAPodWhoseJobIsGone: a Pod that is being deleted keeps the tracking finalizer for
// its Job. When the Job is deleted, the Pod does not change, so nothing else would wake the
// controller that removes the finalizer.
func TestGarbage_WakesAPodWhoseJobIsGone(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	for name, test := range map[string]struct {
		change func(*corev1.Pod)
		want   int64
	}{
		"leaves": {func(p *corev1.Pod) {
			p.DeletionTimestamp, p.DeletionGracePeriodSeconds = new(metav1.Now()), new(int64(30))
		}, 1},
		"is-released": {func(p *corev1.Pod) {
			p.DeletionTimestamp, p.Finalizers = new(metav1.Now()), []string{"example.com/other"}
		}, 0},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, Finalizers: []string{batchv1.JobTrackingFinalizer},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "gone", UID: newUID(), Controller: new(true)}},
		}}
		test.change(pod)
		o := r.Create(pod)
		r.Exec("DELETE FROM wakeups")
		r.Exec("INSERT INTO wakeups (due, cause, uid, attempt, controller) VALUES (cluster_now(), 1, $1, 0, 'garbagecollector')", string(o.UID))
		r.Turn(r.collector())
		var got int64
		if err := r.Pool.QueryRow(t.Context(), "SELECT count(*) FROM wakeups WHERE controller = 'jobpod' AND uid = $1", string(o.UID)).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != test.want {
			t.Errorf("%s: %d wakeups for it, want %d", name, got, test.want)
		}
	}
}

// TestGarbage_BurstsGoOn: they continue until all dependents of an owner that is deleted in the
// foreground are gone, and then the owner goes.
func TestGarbage_BurstsGoOn(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	now := metav1.Time{Time: start}
	cm := configMap("owner")
	cm.DeletionTimestamp, cm.Finalizers = &now, []string{metav1.FinalizerDeleteDependents}
	cm.UID = newUID()
	const dependents = garbagecollector.Burst + 20
	var objects []object.Object
	for range dependents {
		d := configMap("d-" + string(newUID()))
		d.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "owner", UID: cm.UID, BlockOwnerDeletion: new(true)}}
		objects = append(objects, d)
	}
	r.createAll(append(objects, cm))
	w := r.collector()
	var left []int
	for range 12 {
		r.Turn(w)
		left = append(left, r.Mirror.List("configmaps", "").Len())
		if left[len(left)-1] == 0 {
			break
		}
	}
	if left[0] == 0 || left[len(left)-1] != 0 {
		t.Errorf("after each look %v are left", left)
	}
}
