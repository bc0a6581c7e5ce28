package ephemeralvolume_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/ephemeralvolume"
)

func pod() *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "u"},
		Spec: corev1.PodSpec{Volumes: []corev1.Volume{
			{Name: "plain"},
			{Name: "scratch", VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{
				VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{
					ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"kind": "scratch"}},
					Spec:       corev1.PersistentVolumeClaimSpec{StorageClassName: new("standard")},
				},
			}}},
		}},
	}
}

// TestReconcile_Creates the claim from its template, with the Pod as its controller.
func TestReconcile_Creates(t *testing.T) {
	t.Parallel()
	p := ephemeralvolume.Reconcile(ephemeralvolume.Snapshot{Pod: pod()})
	if len(p.Creates) != 1 || len(p.Events) > 0 {
		t.Fatalf("the plan is %v", p)
	}
	claim := p.Creates[0].Object.(*corev1.PersistentVolumeClaim)
	if claim.Name != "web-scratch" || claim.Labels["kind"] != "scratch" || *claim.Spec.StorageClassName != "standard" || !metav1.IsControlledBy(claim, pod()) {
		t.Errorf("the claim is %v", claim)
	}
}

// TestReconcile_LeavesAlone what is there, and what goes.
func TestReconcile_LeavesAlone(t *testing.T) {
	t.Parallel()
	made := ephemeralvolume.Reconcile(ephemeralvolume.Snapshot{Pod: pod()}).Creates[0].Object.(*corev1.PersistentVolumeClaim)
	going, ended := pod(), pod()
	going.DeletionTimestamp, ended.Status.Phase = &metav1.Time{}, corev1.PodSucceeded
	for name, s := range map[string]ephemeralvolume.Snapshot{
		"there":   {Pod: pod(), Claims: map[string]*corev1.PersistentVolumeClaim{"web-scratch": made}},
		"deleted": {Pod: going},
		"ended":   {Pod: ended},
	} {
		if p := ephemeralvolume.Reconcile(s); !p.Empty() {
			t.Errorf("%s: the plan is %v", name, p)
		}
	}
}

// TestReconcile_ReportsOnce that a claim of another has the name, or that creating it is refused.
func TestReconcile_ReportsOnce(t *testing.T) {
	t.Parallel()
	foreign := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-scratch"}}
	for name, test := range map[string]struct {
		s    ephemeralvolume.Snapshot
		want string
	}{
		"taken": {
			ephemeralvolume.Snapshot{Pod: pod(), Claims: map[string]*corev1.PersistentVolumeClaim{"web-scratch": foreign}},
			"ephemeral volume scratch: PVC default/web-scratch was not created for pod default/web (pod is not owner)",
		},
		"refused": {ephemeralvolume.Snapshot{Pod: pod(), Refused: &plan.Refusal{Message: "the quota is full"}}, "ephemeral volume scratch: create PVC web-scratch: the quota is full"},
	} {
		p := ephemeralvolume.Reconcile(test.s)
		if len(p.Creates) > 0 || len(p.Events) != 1 || p.Events[0].Reason != "FailedBinding" || !strings.HasPrefix(p.Events[0].Message, test.want) {
			t.Fatalf("%s: the plan is %v", name, p)
		}
		test.s.Memory = p.Memory
		if again := ephemeralvolume.Reconcile(test.s); !again.Empty() {
			t.Errorf("%s: then the plan is %v", name, again)
		}
	}
}
