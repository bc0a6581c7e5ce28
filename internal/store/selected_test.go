package store_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

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
		if _, err := batch.Add(storetest.CreatePod(name, "web"), 0, "", budget.At); err != nil {
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
