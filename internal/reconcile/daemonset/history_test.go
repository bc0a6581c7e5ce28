package daemonset_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/daemonset"
	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
)

func TestHistory(t *testing.T) {
	t.Parallel()
	next := image("b", 2)
	revisions := func(s daemonset.Snapshot, r ...*appsv1.ControllerRevision) daemonset.Snapshot {
		s.Revisions = r
		return s
	}
	foreign := func(r *appsv1.ControllerRevision) { r.OwnerReferences = nil; r.Labels = map[string]string{"app": "x"} }
	first, second := kept(set(), 1), kept(set(next), 2)
	one := counted(1, 1)
	none := snapshot(set(next, one, status(func(s *appsv1.DaemonSetStatus) { s.UpdatedNumberScheduled = 0 })), nodes(1), pod("p0", "n0"))
	older := kept(set(), 1, func(r *appsv1.ControllerRevision) {
		r.Name, r.UID, r.Labels["controller-revision-hash"] = "d-older", "older", "older"
	})
	limit := func(n int32) func(*appsv1.DaemonSet) {
		return func(ds *appsv1.DaemonSet) { ds.Spec.RevisionHistoryLimit = &n }
	}
	var many []*appsv1.ControllerRevision
	for i := range 4 {
		many = append(many, kept(set(image(fmt.Sprint(i), 1)), int64(i+1)))
	}
	many = append(many, kept(set(), 5))
	check(t, []row{
		{"the first revision comes with the Pods", revisions(snapshot(set(counted(0, 1)), nodes(1))),
			"create ControllerRevision default/d-" + hash + "\n" + creates(1)},
		{"DS-025 so does the next", revisions(none, first), "create ControllerRevision default/d-" + laterHash + "\n" + deletes("p0")},
		{"a revision that is gone back to is the newest", revisions(snapshot(set(one), nodes(1), pod("p0", "n0")), first, second), "update ControllerRevision default/" + first.Name + "\n"},
		{"an orphan is adopted", revisions(snapshot(set(one), nodes(1), pod("p0", "n0")), kept(set(), 1, func(r *appsv1.ControllerRevision) { r.OwnerReferences = nil })),
			"update ControllerRevision default/" + first.Name + "\n"},
		{"one without the hash gets its name for one", revisions(snapshot(set(one, status(func(s *appsv1.DaemonSetStatus) {
			s.UpdatedNumberScheduled = 1
		})), nodes(1), pod("p0", "n0")), kept(set(), 1, func(r *appsv1.ControllerRevision) { delete(r.Labels, "controller-revision-hash") })),
			"update ControllerRevision default/" + first.Name + "\n"},
		{"of two that are the same the older goes", revisions(snapshot(set(one), nodes(1), pod("p0", "n0")), kept(set(), 2), older),
			"delete ControllerRevision default/d-older\n"},
		{"but first its Pods become the other's", revisions(snapshot(set(one), nodes(1), pod("p0", "n0", func(p *corev1.Pod) {
			p.Labels = map[string]string{"app": "d", "controller-revision-hash": "older"}
		})), kept(set(), 2), older), "update Pod default/p0\nwake at 2026-01-02T03:04:05Z\n"},
		{"a name that another has", revisions(none, first, kept(set(next), 2, foreign)), newStatus + "wake at 2026-01-02T03:04:05Z\n"},
		{"another that holds the same", revisions(none, first, kept(set(next), 2, func(r *appsv1.ControllerRevision) {
			r.OwnerReferences, r.Labels["app"] = nil, "x"
		})), deletes("p0")},
		{"a name that has just been taken", refused(revisions(none, first), plan.Refusal{Reason: metav1.StatusReasonAlreadyExists}),
			newStatus + "wake at 2026-01-02T03:04:05Z\n"},
		{"no revision is admitted: nothing is done", refused(revisions(none, first), plan.Refusal{Message: "quota"}), ""},
		{"the revision is admitted, no Pod is", refused(revisions(snapshot(set(counted(0, 1)), nodes(1))), plan.Refusal{Admitted: 1, Message: "quota"}),
			"create ControllerRevision default/d-" + hash + "\n" + `event DaemonSet default/d Warning FailedCreate "Error creating: quota"` + "\n"},
		{"DS-025 the oldest revisions go", revisions(snapshot(set(one, limit(2)), nodes(1), pod("p0", "n0")), many...),
			"delete ControllerRevision default/" + many[0].Name + "\ndelete ControllerRevision default/" + many[1].Name + "\n"},
		{"but those that have Pods", revisions(snapshot(set(limit(0), onDelete, one, status(func(s *appsv1.DaemonSetStatus) { s.UpdatedNumberScheduled = 0 })), nodes(1),
			pod("p0", "n0", func(p *corev1.Pod) {
				p.Labels = map[string]string{"app": "d", "controller-revision-hash": many[1].Labels["controller-revision-hash"]}
			})), many[1], many[4]), ""},
	})
}

func TestHistory_OfWhatARevisionHolds(t *testing.T) {
	t.Parallel()
	s := snapshot(set(image("b", 2)), nodes(1))
	s.Revisions = []*appsv1.ControllerRevision{kept(set(), 4)}
	p := daemonset.Reconcile(s)
	want := &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "d-" + laterHash, Labels: map[string]string{"app": "d", "controller-revision-hash": laterHash},
			Annotations: s.DaemonSet.Annotations, OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set(), ofSet)},
		},
		Revision: 5,
	}
	want.Data.Raw = []byte(`{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"d"}},"spec":{"containers":[{"image":"b","name":"c","resources":{}}]}}}}`)
	if d := cmp.Diff(want, p.Creates[0].Object); d != "" {
		t.Errorf("revision (-want +got):\n%s", d)
	}
	if got := s.NextRevision(); got != want.Name {
		t.Errorf("NextRevision is %q, want %q", got, want.Name)
	}
	if got := snapshot(set(), nil).NextRevision(); got != "" {
		t.Errorf("NextRevision is %q although there is one", got)
	}
	collided := set(image("b", 2), status(func(s *appsv1.DaemonSetStatus) { s.CollisionCount = new(int32(1)) }))
	s.DaemonSet = collided
	if got, want := s.NextRevision(), "d-"+podtemplate.Hash(&collided.Spec.Template, new(int32(1))); got != want {
		t.Errorf("after a collision NextRevision is %q, want %q", got, want)
	}
}

// TestRetries doubles the pause between replacements up to 15 minutes, and starts over after half
// an hour without one.
func TestRetries(t *testing.T) {
	t.Parallel()
	s := snapshot(set(counted(1, 1)), nodes(1), pod("p0", "n0", phase(corev1.PodFailed)))
	var pauses []time.Duration
	for range 12 {
		p := daemonset.Reconcile(s)
		if len(p.Deletes) != 1 || len(p.Memory) == 0 {
			t.Fatalf("the failed Pod is not replaced:\n%s", p)
		}
		s.Memory = p.Memory
		p = daemonset.Reconcile(s)
		if !p.Empty() || p.Memory != nil {
			t.Fatalf("the next failed Pod is replaced at once:\n%s", p)
		}
		pauses, s.Now = append(pauses, p.WakeAt.Sub(s.Now)), p.WakeAt
	}
	want := []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900}
	for i := range want {
		want[i] *= time.Second
	}
	if d := cmp.Diff(want, pauses); d != "" {
		t.Errorf("pauses (-want +got):\n%s", d)
	}
	s.Now = s.Now.Add(31 * time.Minute)
	s.Memory = daemonset.Reconcile(s).Memory
	if got := daemonset.Reconcile(s).WakeAt.Sub(s.Now); got != time.Second {
		t.Errorf("after half an hour the pause is %v", got)
	}
}
