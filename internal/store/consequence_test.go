package store_test

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// wakeups counts the wakeups of a controller for an object that were caused by a revision or a
// later one.
func (f fixture) wakeups(controller string, v *object.Version, since object.Revision) int64 {
	f.T.Helper()
	return f.Number("SELECT count(*) FROM wakeups WHERE controller = $1 AND uid = $2 AND cause >= $3", controller, v.UID, since)
}

// TestS6_WakeupsAreInsertedAndGoWithTheirObject: wakeups are inserted and never updated, so that no
// writer waits for a worker.
func TestS6_WakeupsAreInsertedAndGoWithTheirObject(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	rs := f.MustWrite(storetest.CreateReplicaSet("a", "web"))
	for i := range 10 {
		rs = f.MustWrite(storetest.Touch(rs, fmt.Sprint(i)))
	}
	if n := f.wakeups(names.ReplicaSet, rs, 0); n != 11 {
		t.Errorf("11 writes left %d wakeups, want one each", n)
	}
	holder := f.Conn() // it has claimed the object; those who wake the object do not wait for it
	f.Claim(holder, names.ReplicaSet, "")
	f.MustWrite(storetest.CreatePod("pod", "web"))
	if n := f.wakeups(names.ReplicaSet, rs, 0); n != 12 {
		t.Errorf("the Pod left %d wakeups, want 12", n)
	}
	if _, err := holder.Exec(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	f.MustWrite(storetest.Remove(rs))
	if n := f.Number("SELECT count(*) FROM wakeups WHERE uid = $1", rs.UID); n != 0 {
		t.Errorf("%d wakeups outlive their object", n)
	}
	f.MustWrite(storetest.CreatePod("late", "web"))
	if n := f.Number("SELECT count(*) FROM wakeups WHERE uid = $1", rs.UID); n != 0 {
		t.Errorf("%d wakeups were made for an object that is gone", n)
	}
	storetest.Eventually(t, "the statistics tell of the inserted rows", func() bool {
		return f.Number("SELECT n_tup_ins FROM pg_stat_user_tables WHERE relname = 'wakeups'") >= 12
	})
	if n := f.Number("SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'wakeups'"); n != 0 {
		t.Errorf("%d wakeups were updated", n)
	}
}

// TestS6_AFailedLookIsPutOffUnderTheLock: the wakeup for another attempt is only inserted while its
// object exists.
func TestS6_AFailedLookIsPutOffUnderTheLock(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	rs := f.MustWrite(storetest.CreateReplicaSet("a", "web"))
	conn := f.Conn()
	if err := wakeup.Hold(t.Context(), conn, rs.UID); err != nil {
		t.Fatal(err)
	}
	removed := make(chan error, 1)
	go func() {
		_, err := f.Write(t.Context(), storetest.Remove(rs))
		removed <- err
	}()
	storetest.Eventually(t, "the removal waits for the lock", func() bool {
		return f.Number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == 1
	})
	batch := newBatch(names.ReplicaSet)
	batch.Retry(rs.UID, 1, 0)
	if _, err := f.Commit(t.Context(), conn, batch); err != nil {
		t.Fatal(err)
	}
	if err := <-removed; err != nil {
		t.Fatal(err)
	}
	if n := f.Number("SELECT count(*) FROM wakeups WHERE uid = $1", rs.UID); n != 0 {
		t.Errorf("%d wakeups outlive their object", n)
	}
}

// race writes two changes at the same time through two replicas.
func race(f, other fixture, a, b store.Change) (va, vb *object.Version, erra, errb error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		va, erra = f.Write(f.T.Context(), a)
	}()
	vb, errb = other.Write(f.T.Context(), b)
	<-done
	return va, vb, erra, errb
}

// TestS7_AnOrphanAndItsWorkloadMeet: a Pod without a controller and a ReplicaSet that selects it
// are created at the same time, by replicas that do not know of each other's write. Whichever comes
// second, the ReplicaSet is synced after both exist.
func TestS7_AnOrphanAndItsWorkloadMeet(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	other := newReplica(t, f.URL(), store.Config{})
	podFirst := 0
	for i := range 60 {
		app := fmt.Sprint("app-", i)
		pod, rs, err1, err2 := race(f, other, storetest.CreatePod("pod-"+app, app), storetest.CreateReplicaSet("rs-"+app, app))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if f.wakeups(names.ReplicaSet, rs, max(pod.Revision, rs.Revision)) == 0 {
			t.Errorf("nobody looks at the ReplicaSet of revision %d and the Pod of revision %d", rs.Revision, pod.Revision)
		}
		if pod.Revision < rs.Revision {
			podFirst++
		}
	}
	t.Logf("the Pod was first in %d of 60 races", podFirst)
}

// TestS7_ADependentOfWhatGoesIsCollected: an object is created or adopted while its owner is
// deleted. Whichever comes second, the garbage collector syncs the object after the owner is gone.
func TestS7_ADependentOfWhatGoesIsCollected(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	other := newReplica(t, f.URL(), store.Config{})
	owned := func(cm *corev1.ConfigMap, owner *object.Version) *corev1.ConfigMap {
		cm.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID}}
		return cm
	}
	for i := range 40 {
		owner := f.MustWrite(storetest.CreateConfigMap(fmt.Sprint("owner-", i)))
		name := fmt.Sprint("dependent-", i)
		c := storetest.Create("configmaps", owned(storetest.ConfigMap(name), owner))
		if i%2 == 0 {
			v := f.MustWrite(storetest.CreateConfigMap(name))
			c = store.Change{Verb: object.Updated, Type: v.Type, Old: v, New: owned(v.Object().DeepCopyObject().(*corev1.ConfigMap), owner), Writer: "test"}
		}
		dependent, gone, err1, err2 := race(f, other, c, storetest.Remove(owner))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if f.wakeups(names.GarbageCollector, dependent, max(dependent.Revision, gone.Revision)) == 0 {
			t.Errorf("nobody collects the dependent of revision %d, whose owner went at %d", dependent.Revision, gone.Revision)
		}
	}
	if n := f.Number("SELECT count(*) FROM owners w WHERE NOT EXISTS (SELECT FROM objects o WHERE o.uid = w.uid)"); n != 0 {
		t.Errorf("%d references outlive their object", n)
	}
}

// TestS7_LabelsWakeWhoMaySelect: a change of labels wakes those workloads of its namespace that may
// select the old or the new labels, and no others.
func TestS7_LabelsWakeWhoMaySelect(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	f.MustWrite(storetest.Create("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other"}}))
	elsewhere := storetest.CreateReplicaSet("elsewhere", "new")
	elsewhere.New.SetNamespace("other")
	sets := map[string]*object.Version{
		"of the old labels": f.MustWrite(storetest.CreateReplicaSet("old", "old")),
		"of the new labels": f.MustWrite(storetest.CreateReplicaSet("new", "new")),
		"of other labels":   f.MustWrite(storetest.CreateReplicaSet("neither", "neither")),
		"elsewhere":         f.MustWrite(elsewhere),
		"of any labels": f.MustWrite(storetest.Create("replicasets.apps", &appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "any"},
			Spec: appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
				{Key: "app", Operator: metav1.LabelSelectorOpExists},
			}}},
		})),
	}
	pod := f.MustWrite(storetest.CreatePod("pod", "old"))
	relabelled := pod.Object().DeepCopyObject().(*corev1.Pod)
	relabelled.Labels = map[string]string{"app": "new"}
	pod = f.MustWrite(store.Change{Verb: object.Updated, Type: pod.Type, Old: pod, New: relabelled})
	woken := map[string]bool{"of the old labels": true, "of the new labels": true, "of any labels": true}
	for name, rs := range sets {
		if got := f.wakeups(names.ReplicaSet, rs, pod.Revision) > 0; got != woken[name] {
			t.Errorf("the ReplicaSet %s is woken: %t, want %t", name, got, woken[name])
		}
	}
}

func createBudget(name, app string) store.Change {
	return storetest.Create("poddisruptionbudgets.policy", &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}},
	})
}

func createService(name, app string) store.Change {
	return storetest.Create("services", &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Spec: corev1.ServiceSpec{Selector: map[string]string{"app": app}},
	})
}

// TestS7_SelectedPodsWakeWhoSelectsThem: Pods that appear, become ready and disappear wake the
// budgets and Services that select them and care, and no others. The cause of the wakeup is the
// last change that asks.
func TestS7_SelectedPodsWakeWhoSelectsThem(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	other := newReplica(t, f.URL(), store.Config{}) // the others are made by a replica that knows none of the Pods
	pod := f.MustWrite(storetest.CreatePod("pod", "web"))
	budget, service := other.MustWrite(createBudget("web", "web")), other.MustWrite(createService("web", "web"))
	otherBudget, otherService := other.MustWrite(createBudget("db", "db")), other.MustWrite(createService("db", "db"))
	ready := pod.Object().DeepCopyObject().(*corev1.Pod)
	ready.Status = corev1.PodStatus{PodIP: "10.0.0.1", Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}}
	for _, step := range []struct {
		name            string
		change          func() store.Change
		budget, service int64 // how many wakeups each gets
	}{
		{name: "another comes", change: func() store.Change { return storetest.CreatePod("second", "web") }, budget: 1},
		{name: "is ready", change: func() store.Change { return store.Change{Verb: object.Updated, Type: pod.Type, Old: pod, New: ready} }, budget: 1, service: 1},
		{name: "is touched", change: func() store.Change { return storetest.Touch(pod, "1") }},
		{name: "goes", change: func() store.Change { return storetest.Remove(pod) }, budget: 1, service: 1},
	} {
		v := f.MustWrite(step.change())
		if v.Name == pod.Name {
			pod = v
		}
		if got := f.wakeups(names.Disruption, budget, v.Revision); got != step.budget {
			t.Errorf("%s: the budget has %d wakeups, want %d", step.name, got, step.budget)
		}
		if got := f.wakeups(names.Endpoints, service, v.Revision); got != step.service {
			t.Errorf("%s: the Service has %d wakeups, want %d", step.name, got, step.service)
		}
	}
	if n := f.wakeups(names.Disruption, otherBudget, otherBudget.Revision+1) + f.wakeups(names.Endpoints, otherService, otherService.Revision+1); n != 0 {
		t.Errorf("those that select other Pods have %d wakeups", n)
	}
}

// TestS7_ALeftOutChangeHidesNoOther: of Pods with the same labels, the last is left out, and the
// others wake the budget.
func TestS7_ALeftOutChangeHidesNoOther(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	f.MustWrite(storetest.CreatePod("taken", "web"))
	budget := f.MustWrite(createBudget("web", "web"))
	batch := newBatch(names.ReplicaSet)
	for _, name := range []string{"first", "second", "taken"} {
		if _, err := batch.Add(storetest.CreatePod(name, "web"), 0, "", budget.At.Time()); err != nil {
			t.Fatal(err)
		}
	}
	conn := f.Conn()
	if _, err := conn.Exec(t.Context(), "BEGIN"); err != nil {
		t.Fatal(err)
	}
	applied, err := f.Commit(t.Context(), conn, batch)
	if err != nil || applied.LeftOut() != 1 {
		t.Fatalf("%d changes were left out: %v", applied.LeftOut(), err)
	}
	if n := f.wakeups(names.Disruption, budget, applied.Versions[1].Revision); n != 1 {
		t.Errorf("the budget has %d wakeups by the Pods that were made, want 1", n)
	}
}

// TestBatch_IsOneStatement: the statement that writes also wakes the workloads that may select the
// changed objects, so that Pods take no longer if nothing selects them.
func TestBatch_IsOneStatement(t *testing.T) {
	t.Parallel()
	batch := newBatch(names.ReplicaSet)
	pod := storetest.CreatePod("pod", "web")
	claim := corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}
	pod.New.(*corev1.Pod).Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &claim}}}
	for _, c := range []store.Change{pod, createService("web", "web"), createBudget("web", "web")} {
		if _, err := batch.Add(c, 0, "", time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := store.Statements(batch); n != 1 {
		t.Errorf("the batch takes %d statements, want 1", n)
	}
}
