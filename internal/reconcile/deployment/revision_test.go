package deployment_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/deployment"
)

// TestRevision looks at the annotations of the new ReplicaSet "a" and of the Deployment after one
// step.
func TestRevision(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("123456789,", 199) + "123456789" // 1999 bytes
	with := func(key, value string) func(*appsv1.ReplicaSet) {
		return func(rs *appsv1.ReplicaSet) { rs.Annotations[key] = value }
	}
	for _, row := range []struct {
		name string
		sets []*appsv1.ReplicaSet
		want map[string]string // what is other than at first on "a"
		d    string            // the Deployment's revision
	}{
		{"DEP-042 the highest revision stays", []*appsv1.ReplicaSet{replicaSet("b", 3, "1"), replicaSet("a", 1, "2")}, nil, "2"},
		{"DEP-043 also when it is higher than need be", []*appsv1.ReplicaSet{replicaSet("b", 3, "1"), replicaSet("a", 1, "9")}, nil, "9"},
		{"DEP-051 after an undo it is the newest again", []*appsv1.ReplicaSet{replicaSet("b", 3, "2"), replicaSet("a", 1, "1")},
			map[string]string{revision: "3", history: "1"}, "3"},
		{"DEP-051 and all it ever was is kept", []*appsv1.ReplicaSet{replicaSet("b", 3, "4"), replicaSet("a", 1, "3", with(history, "1"))},
			map[string]string{revision: "5", history: "1,3"}, "5"},
		{"a history that grows too long forgets its oldest", []*appsv1.ReplicaSet{replicaSet("b", 3, "4"),
			replicaSet("a", 1, "3", with(history, long))},
			map[string]string{revision: "5", history: strings.TrimPrefix(long, "123456789,") + ",3"}, "5"},
		{"one that has none gets the next", []*appsv1.ReplicaSet{replicaSet("b", 3, "4"), replicaSet("a", 1, "", func(rs *appsv1.ReplicaSet) {
			delete(rs.Annotations, revision)
		})}, map[string]string{revision: "5"}, "5"},
		{"one that is not a number is left alone", []*appsv1.ReplicaSet{replicaSet("b", 3, "4"), replicaSet("a", 1, "first")}, nil, "first"},
		{"and does not count among the others", []*appsv1.ReplicaSet{replicaSet("b", 3, "first"), replicaSet("a", 1, "1")}, nil, "1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := snapshot(newDeployment(3), row.sets...)
			was := row.sets[1].Annotations
			p := deployment.Reconcile(s)
			var changed map[string]string
			if rs := setOf(p, "web-a"); rs != nil {
				for key, value := range rs.Annotations {
					if was[key] != value {
						if changed == nil {
							changed = map[string]string{}
						}
						changed[key] = value
					}
				}
			}
			if diff := cmp.Diff(row.want, changed); diff != "" {
				t.Errorf("annotations (-want +got):\n%s", diff)
			}
			if got := deploymentOf(p).Annotations[revision]; got != row.d {
				t.Errorf("the Deployment's revision is %q, want %q", got, row.d)
			}
		})
	}
}

func TestTheNewReplicaSetFollowsTheDeployment(t *testing.T) {
	t.Parallel()
	d := settled(annotated("kubernetes.io/change-cause", "second"), annotated("gone", "kept"),
		annotated(corev1.LastAppliedConfigAnnotation, "{}"), func(d *appsv1.Deployment) { d.Spec.MinReadySeconds = 7 })
	p := deployment.Reconcile(snapshot(d, replicaSet("a", 3, "1")))
	want := replicaSet("a", 3, "1", func(rs *appsv1.ReplicaSet) {
		rs.Annotations["kubernetes.io/change-cause"], rs.Annotations["gone"] = "second", "kept"
		rs.Spec.MinReadySeconds, rs.Generation = 7, 2
	})
	if diff := cmp.Diff(want, setOf(p, "web-a")); diff != "" {
		t.Errorf("DEP-046 ReplicaSet (-want +got):\n%s", diff)
	}
	annotationOnly := deployment.Reconcile(snapshot(settled(annotated("note", "x")), replicaSet("a", 3, "1")))
	if got := setOf(annotationOnly, "web-a").Generation; got != 1 {
		t.Errorf("an annotation raised the generation to %d", got)
	}
}
