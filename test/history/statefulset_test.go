package history_test

import (
	"strconv"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

// stateful makes the StatefulSet db.
func stateful(n int32, policy appsv1.PodManagementPolicyType) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{ObjectMeta: meta("db", ""), Spec: appsv1.StatefulSetSpec{Replicas: &n, PodManagementPolicy: policy}}
}

// member makes a Pod of db, which mounts a PersistentVolumeClaim.
func member(ordinal int, state string) *corev1.Pod {
	p := pod("db-"+strconv.Itoa(ordinal), "db", state)
	p.OwnerReferences[0].Kind = "StatefulSet"
	p.Labels = map[string]string{appsv1.StatefulSetPodNameLabel: p.Name}
	p.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-" + p.Name}}}}
	return p
}

func dataOf(ordinal int) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{ObjectMeta: meta("data-db-"+strconv.Itoa(ordinal), "")}
}

// byStatefulSets makes an entry that the controller wrote, by a decision that the revision caused.
func byStatefulSets(e history.Entry, cause int64) history.Entry {
	e.Writer, e.Cause = "statefulset-controller", object.Revision(cause)
	return e
}

func TestStatefulSets(t *testing.T) {
	t.Parallel()
	begun := func(policy appsv1.PodManagementPolicyType, more ...history.Entry) history.History {
		return log(append([]history.Entry{
			created(stateful(3, policy)), created(dataOf(0)), created(dataOf(1)), created(dataOf(2)), byStatefulSets(created(member(0, "")), 1),
		}, more...)...)
	}
	second := func(cause int64) history.Entry { return byStatefulSets(created(member(1, "")), cause) }
	nameless := member(0, "")
	nameless.Labels = nil
	other := stateful(1, "")
	other.Name, other.UID = "other", "uid-of-other"
	byNobody := member(0, "")
	byNobody.OwnerReferences = []metav1.OwnerReference{{Kind: "StatefulSet", UID: "uid-of-nobody", Controller: new(true)}}
	run(t, history.StatefulSets, []row{
		{"in order", begun("", updated(member(0, "ready")), second(6)), nil},
		{"too early", begun("", updated(member(0, "bound")), second(6)), []string{
			"revision 7, pods/default/db-1: is made by StatefulSet db before db-0 is ready",
		}},
		{"ready when it was decided", begun("", updated(member(0, "ready")), updated(member(0, "failed")), second(6)), nil},
		{"not ready any more when it was decided", begun("", updated(member(0, "ready")), updated(member(0, "failed")), second(7)), []string{
			"revision 8, pods/default/db-1: is made by StatefulSet db before db-0 is ready",
		}},
		{"in parallel", begun("Parallel", second(5)), nil},
		{"twice", begun("", byStatefulSets(created(member(0, "")), 5)), []string{"revision 6, pods/default/db-0: is the second Pod of its ordinal, beside uid-of-db-0"}},
		{"again when it is gone", begun("", deleted(member(0, "")), byStatefulSets(created(member(0, "")), 6)), nil},
		{"before its claim", log(created(stateful(1, "")), byStatefulSets(created(member(0, "")), 1)), []string{
			"revision 2, pods/default/db-0: is made before its claim data-db-0",
		}},
		{"no ordinal", log(created(stateful(1, "")), byStatefulSets(created(nameless), 1)), []string{
			"revision 2, pods/default/db-0: is not an ordinal of StatefulSet db, by its name or its labels map[]",
		}},
		{"two go at once", begun("", updated(member(0, "ready")), second(6), byStatefulSets(updated(member(1, "terminating")), 7), byStatefulSets(updated(member(0, "terminating")), 8)), []string{
			"revision 9, pods/default/db-0: is told to go by StatefulSet db while 1 others go",
		}},
		{"one is replaced when all must go", begun("", updated(member(0, "ready")), second(6), byStatefulSets(updated(member(0, "terminating")), 7), updated(stateful(0, "")),
			byStatefulSets(updated(member(1, "terminating")), 9)), nil},
		{"one is replaced, and stays", begun("", updated(member(0, "ready")), second(6), byStatefulSets(updated(member(0, "terminating")), 7), updated(stateful(1, "")),
			byStatefulSets(updated(member(1, "terminating")), 9)), []string{
			"revision 10, pods/default/db-1: is told to go by StatefulSet db while 1 others go",
		}},
		{"one after the other", begun("", updated(member(0, "ready")), second(6), byStatefulSets(updated(member(1, "terminating")), 7), deleted(member(1, "terminating")),
			byStatefulSets(updated(member(0, "terminating")), 8)), nil},
		{"somebody else has them go", begun("", updated(member(0, "ready")), second(6), updated(member(1, "terminating")), updated(member(0, "terminating"))), nil},
		{"of nobody that is known", log(created(other), byStatefulSets(created(byNobody), 1)), nil},
	})
}
