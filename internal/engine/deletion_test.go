package engine_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// TestTurn_DeletesAndSaysWhy: it does both in one change, and only if the update that the deletion
// needs is made.
func TestTurn_DeletesAndSaysWhy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		during func(r replica, x *object.Version)
		want   []string
	}{
		{"nothing is in the way", func(replica, *object.Version) {}, []string{
			"updated configmaps/default/x by test-controller", "updated pods/default/victim by test-controller"}},
		{"what it is for has moved on", func(r replica, x *object.Version) { r.Touch(x, "by a client") }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newReplica(t)
			other := joinReplica(t, r.URL, mirror.Config{})
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "victim", Generation: 1}}
			pod.Spec = corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{Name: "c", Image: "nginx"}}}
			r.KindOf(pod).Default(pod)
			victim := r.Create(pod)
			parent, x := r.ConfigMap("parent"), r.ConfigMap("x")
			r.Wake(parent)
			w := engine.New(r.Deps, testController(func(v mirror.View, _ *object.Version, _ time.Time) plan.Plan {
				old, current := v.UID(victim.UID).Object().(*corev1.Pod), v.UID(x.UID)
				test.during(other, x)
				as := *old
				as.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue}}
				return plan.Plan{
					Updates: []plan.Update{{Object: touched(current, "planned")}},
					Deletes: []plan.Delete{{Object: old, As: &as, NeedsUpdate: x.UID}},
				}
			}))
			r.Turn(w)
			if diff := cmp.Diff(test.want, by(r.History(x.Revision), "test-controller"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
			if err := r.Mirror.Fresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			r.View(func(v mirror.View) {
				now := v.UID(victim.UID).Object().(*corev1.Pod)
				if told, going := len(now.Status.Conditions) == 1, now.DeletionTimestamp != nil; told != (test.want != nil) || going != told {
					t.Errorf("the Pod has conditions %v and goes at %v", now.Status.Conditions, now.DeletionTimestamp)
				}
			})
		})
	}
}
