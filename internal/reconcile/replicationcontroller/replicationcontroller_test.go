package replicationcontroller_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/replicationcontroller"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// nginx is a ReplicationController at generation 1 that selects app=nginx, with edits.
func nginx(replicas int32, edits ...func(*corev1.ReplicationController)) *corev1.ReplicationController {
	rc := &corev1.ReplicationController{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "nginx", UID: "nginx-uid", ResourceVersion: "5", Generation: 1},
		Spec: corev1.ReplicationControllerSpec{
			Replicas: &replicas, Selector: map[string]string{"app": "nginx"},
			Template: &corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "nginx"}},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "nginx", Image: "nginx"}}},
			},
		},
		Status: corev1.ReplicationControllerStatus{ObservedGeneration: 1},
	}
	for _, edit := range edits {
		edit(rc)
	}
	return rc
}

func counted(n int32) func(*corev1.ReplicationController) {
	return func(rc *corev1.ReplicationController) {
		rc.Status.Replicas, rc.Status.FullyLabeledReplicas, rc.Status.ReadyReplicas, rc.Status.AvailableReplicas = n, n, n, n
	}
}

// pod is a Running and Ready Pod of nginx, with edits.
func pod(name string, edits ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, UID: types.UID(name), ResourceVersion: "6", CreationTimestamp: metav1.NewTime(now.Add(-time.Hour)),
			Labels: map[string]string{"app": "nginx"},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "v1", Kind: "ReplicationController", Name: "nginx", UID: "nginx-uid", Controller: new(true), BlockOwnerDeletion: new(true),
			}},
		},
		Spec: corev1.PodSpec{NodeName: "n1"},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{
			{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(now.Add(-time.Hour))},
		}},
	}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func orphan(p *corev1.Pod)  { p.OwnerReferences = nil }
func unready(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse }
func failed(p *corev1.Pod)  { p.Status.Phase = corev1.PodFailed }
func ending(p *corev1.Pod)  { p.DeletionTimestamp = &metav1.Time{Time: now} }
func other(p *corev1.Pod)   { p.Labels = map[string]string{"app": "other"} }

func TestReconcile(t *testing.T) {
	t.Parallel()
	const (
		status  = "update ReplicationController default/nginx status\n"
		create  = "create Pod default/nginx-*\n"
		created = `event ReplicationController default/nginx Normal SuccessfulCreate "Created pod: %s"` + "\n"
	)
	quota := &plan.Refusal{Reason: metav1.StatusReasonForbidden, Message: "exceeded quota: q"}
	for _, row := range []struct {
		name    string
		rc      *corev1.ReplicationController
		pods    []*corev1.Pod
		refused *plan.Refusal
		want    string
	}{
		{"all is as it should be", nginx(2, counted(2)), []*corev1.Pod{pod("a"), pod("b")}, nil, ""},
		{"RC-001 RC-023 too few", nginx(2), nil, nil, create + create + created + created},
		{"RC-001 too many", nginx(0, counted(1)), []*corev1.Pod{pod("a")}, nil,
			"delete Pod default/a\n" + `event ReplicationController default/nginx Normal SuccessfulDelete "Deleted pod: a"` + "\n"},
		{"RC-001 a failed Pod is replaced", nginx(1), []*corev1.Pod{pod("a", failed)}, nil, create + created},
		{"RC-010 RC-017 a bare Pod is adopted as it is", nginx(1, counted(1)), []*corev1.Pod{pod("a", orphan)}, nil, "update Pod default/a\n"},
		{"RC-011 an unready Pod counts", nginx(1, func(rc *corev1.ReplicationController) {
			rc.Status.Replicas, rc.Status.FullyLabeledReplicas = 1, 1
		}), []*corev1.Pod{pod("a", unready)}, nil, ""},
		{"RC-012 a terminating Pod does not", nginx(1), []*corev1.Pod{pod("a", ending)}, nil, create + created},
		{"RC-018 a relabelled Pod is released and replaced", nginx(1), []*corev1.Pod{pod("a", other)}, nil, "update Pod default/a\n" + create + created},
		{"RC-022 a changed template changes no Pod", nginx(1, counted(1), func(rc *corev1.ReplicationController) {
			rc.Spec.Template.Spec.Containers[0].Image = "nginx:2"
		}), []*corev1.Pod{pod("a")}, nil, ""},
		{"what is refused is told", nginx(1), nil, quota,
			status + `event ReplicationController default/nginx Warning FailedCreate "Error creating: exceeded quota: q"` + "\n"},
		{"and is not told again", nginx(1, counted(1), func(rc *corev1.ReplicationController) {
			rc.Status.Conditions = []corev1.ReplicationControllerCondition{{Type: "ReplicaFailure", Status: "True", Reason: "FailedCreate"}}
		}), []*corev1.Pod{pod("a")}, nil, status},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := replicationcontroller.Snapshot{ReplicationController: row.rc, Pods: row.pods, Refused: row.refused, Now: now}
			if d := cmp.Diff(row.want, laws.Check(t, replicationcontroller.Reconcile, s).String()); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
		})
	}
}

// A status has no terminatingReplicas, so that a Pod that ends does not make it be written forever.
func TestReconcile_Status(t *testing.T) {
	t.Parallel()
	s := replicationcontroller.Snapshot{ReplicationController: nginx(2, counted(2)), Now: now,
		Refused: &plan.Refusal{Reason: metav1.StatusReasonForbidden, Message: "no"},
		Pods:    []*corev1.Pod{pod("a"), pod("b", ending)}}
	got := replicationcontroller.Reconcile(s).Updates[0].Object.(*corev1.ReplicationController).Status
	want := corev1.ReplicationControllerStatus{
		Replicas: 1, FullyLabeledReplicas: 1, ReadyReplicas: 1, AvailableReplicas: 1, ObservedGeneration: 1,
		Conditions: []corev1.ReplicationControllerCondition{{
			Type: corev1.ReplicationControllerReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedCreate", Message: "no", LastTransitionTime: metav1.NewTime(now),
		}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestLaw_AlwaysTheRightNumber(t *testing.T) {
	t.Parallel()
	c := laws.Controller[replicationcontroller.Snapshot]{
		Snapshots: func(w *laws.World) (out []replicationcontroller.Snapshot) {
			for _, rc := range laws.List[*corev1.ReplicationController](w) {
				out = append(out, replicationcontroller.Snapshot{ReplicationController: rc, Pods: laws.List[*corev1.Pod](w), Now: w.Now})
			}
			return out
		},
		Self:      func(s replicationcontroller.Snapshot) object.Object { return s.ReplicationController },
		Reconcile: replicationcontroller.Reconcile,
		Judge: func(t rapid.TB, s replicationcontroller.Snapshot, p plan.Plan) {
			if want := int(*s.ReplicationController.Spec.Replicas); len(p.Creates) > want || s.ReplicationController.DeletionTimestamp != nil && len(p.Creates)+len(p.Deletes) > 0 {
				t.Fatalf("of %d replicas the plan is:\n%s", want, p)
			}
		},
	}
	rapid.Check(t, func(t *rapid.T) {
		pick := laws.Drawn(t)
		w := laws.NewWorld(t, now)
		w.Create(nginx(int32(pick(5)), func(rc *corev1.ReplicationController) { rc.UID, rc.ResourceVersion = "", "" }))
		left := 8
		user := func(w *laws.World, pick laws.Pick) bool {
			if left == 0 {
				return false
			}
			left--
			pods := laws.List[*corev1.Pod](w)
			switch what := pick(4); {
			case what == 0 && len(pods) > 0:
				w.Delete(pods[pick(len(pods))].DeepCopy())
			case what == 1 && len(pods) > 0:
				p := pods[pick(len(pods))].DeepCopy()
				other(p)
				w.Update(p)
			case what == 2:
				w.Create(pod("", orphan, func(p *corev1.Pod) { p.GenerateName, p.UID, p.ResourceVersion = "bare-", "", "" }))
			default:
				rc := laws.List[*corev1.ReplicationController](w)[0].DeepCopy()
				rc.Spec.Replicas = new(int32(pick(5)))
				rc.Generation++
				w.Update(rc)
			}
			return true
		}
		laws.Settle(w, pick, 1000, func() {}, c.Actor(t), laws.Kubelet, user)
		rc, active := laws.List[*corev1.ReplicationController](w)[0], int32(0)
		for _, p := range laws.List[*corev1.Pod](w) {
			if metav1.IsControlledBy(p, rc) && podstate.Active(p) {
				active++
			}
		}
		if active != *rc.Spec.Replicas || rc.Status.AvailableReplicas != active {
			t.Fatalf("%d Pods, status %+v, want %d", active, rc.Status, *rc.Spec.Replicas)
		}
	})
}
