package pod_test

import (
	"regexp"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"

	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// storedPod returns the bare Pod as stored, with a change applied.
func storedPod(change func(*corev1.Pod)) *corev1.Pod {
	p := created(kindtest.BarePod())
	if change != nil {
		change(p)
	}
	return p
}

func TestPod_Graceful(t *testing.T) {
	t.Parallel()
	bound := func(p *corev1.Pod) { p.Spec.NodeName, p.Status.Phase = "node-1", corev1.PodRunning }
	tests := []struct {
		name   string
		change func(*corev1.Pod)
		asked  *int64
		want   int64
	}{
		{"POD-006 thirty seconds by default", bound, nil, 30},
		{"POD-006 the Pod's own", func(p *corev1.Pod) { bound(p); p.Spec.TerminationGracePeriodSeconds = new(int64(5)) }, nil, 5},
		{"POD-008 what is asked for wins", bound, new(int64(7)), 7},
		{"POD-008 more than the Pod's own", bound, new(int64(700)), 700},
		{"POD-014 none", bound, new(int64(0)), 0},
		{"never negative", bound, new(int64(-3)), 1},
		{"an old spec's negative", func(p *corev1.Pod) { bound(p); p.Spec.TerminationGracePeriodSeconds = new(int64(-3)) }, nil, 1},
		{"an old spec without", func(p *corev1.Pod) { bound(p); p.Spec.TerminationGracePeriodSeconds = nil }, nil, 0},
		{"not bound", func(p *corev1.Pod) { p.Spec.NodeName = "" }, new(int64(7)), 0},
		{"succeeded", func(p *corev1.Pod) { bound(p); p.Status.Phase = corev1.PodSucceeded }, nil, 0},
		{"failed", func(p *corev1.Pod) { bound(p); p.Status.Phase = corev1.PodFailed }, new(int64(7)), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, podkind.Kind.Graceful(storedPod(tt.change), tt.asked))
		})
	}
}

func TestPod_SelectableFields(t *testing.T) {
	t.Parallel()
	p := storedPod(func(p *corev1.Pod) {
		p.Spec.NodeName, p.Spec.HostNetwork = "node-1", true
		p.Status.NominatedNodeName = "node-2"
		p.Status.PodIPs = []corev1.PodIP{{IP: "10.1.0.1"}, {IP: "fd00::1"}}
	})
	kindtest.Diff(t, fields.Set{
		"spec.host": "node-1", "spec.hostNetwork": "true", "spec.nodeName": "node-1", "spec.restartPolicy": "Always",
		"spec.schedulerName": "default-scheduler", "spec.serviceAccountName": "default",
		"status.nominatedNodeName": "node-2", "status.phase": "Pending", "status.podIP": "10.1.0.1", "status.podIPs": "",
	}, podkind.Kind.SelectableFields(p))
}

func TestPod_PrepareUpdate(t *testing.T) {
	t.Parallel()
	old := storedPod(func(p *corev1.Pod) { p.Generation, p.Status.Phase = 3, corev1.PodRunning })

	t.Run("the status stays", func(t *testing.T) {
		t.Parallel()
		next := old.DeepCopy()
		next.Status = corev1.PodStatus{Phase: corev1.PodFailed}
		next.Generation = 9
		podkind.Kind.PrepareUpdate(next, old)
		kindtest.Diff(t, old, next)
	})
	t.Run("a changed spec is a new generation", func(t *testing.T) {
		t.Parallel()
		next, want := old.DeepCopy(), old.DeepCopy()
		next.Spec.Containers[0].Image = "busybox:2"
		podkind.Kind.PrepareUpdate(next, old)
		want.Spec.Containers[0].Image, want.Generation = "busybox:2", 4
		kindtest.Diff(t, want, next)
	})
	t.Run("what admission set need not be sent", func(t *testing.T) {
		t.Parallel()
		next := old.DeepCopy()
		next.Spec.Tolerations, next.Spec.Priority, next.Spec.PreemptionPolicy = nil, nil, nil
		podkind.Kind.PrepareUpdate(next, old)
		kindtest.Diff(t, old, next)
	})
}

func TestPod_PrepareStatus(t *testing.T) {
	t.Parallel()
	condition := func(t corev1.PodConditionType, generation int64) corev1.PodCondition {
		return corev1.PodCondition{Type: t, Status: corev1.ConditionTrue, ObservedGeneration: generation}
	}
	old := storedPod(func(p *corev1.Pod) {
		p.Generation, p.Status.ObservedGeneration = 3, 2
		p.OwnerReferences = []metav1.OwnerReference{{Name: "web"}}
		p.Status.Conditions = []corev1.PodCondition{condition("a", 1), condition("a", 2), condition("b", 3)}
	})
	next := old.DeepCopy()
	next.Spec.NodeName, next.OwnerReferences = "node-2", nil
	deleted := metav1.NewTime(kindtest.Now.Add(time.Minute))
	next.Generation, next.DeletionTimestamp = 9, &deleted
	next.Status = corev1.PodStatus{
		Phase:      corev1.PodRunning,
		Conditions: []corev1.PodCondition{condition("a", 0), condition("a", 5), condition("a", 0), condition("c", 0)},
	}
	podkind.Kind.Status.Prepare(next, old)

	want := old.DeepCopy()
	want.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, QOSClass: corev1.PodQOSBestEffort, ObservedGeneration: 2,
		Conditions: []corev1.PodCondition{condition("a", 1), condition("a", 5), condition("a", 0), condition("c", 0)},
	}
	kindtest.Diff(t, want, next)
}

// TestPod_TokenVolumeName: Pods of one service account have the same name for it, so that those of
// one template have equal specs.
func TestPod_TokenVolumeName(t *testing.T) {
	t.Parallel()
	name := func(uid types.UID, namespace, account string) string {
		p := kindtest.BarePod()
		p.UID, p.Namespace, p.Spec.ServiceAccountName = uid, namespace, account
		return created(p).Spec.Volumes[0].Name
	}
	first := name("8c3e", "shop", "")
	if !regexp.MustCompile(`^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$`).MatchString(first) {
		t.Errorf("the volume is called %s", first)
	}
	kindtest.Diff(t, first, name("8c3f", "shop", "default"))
	if first == name("8c3e", "store", "") {
		t.Error("the accounts of two namespaces have one name")
	}
}

func TestPod_Warnings(t *testing.T) {
	t.Parallel()
	p := kindtest.BarePod()
	kindtest.Diff(t, []string(nil), podkind.Kind.Warnings(p, nil))
	p.Name = "a.b"
	kindtest.Diff(t, []string{
		"metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
	}, podkind.Kind.Warnings(p, nil))
	kindtest.Diff(t, []string(nil), podkind.Kind.Warnings(p, kindtest.BarePod()))
}
