package replicaset_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/replicaset"
)

var (
	now     = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	deleted = metav1.NewTime(now.Add(-time.Second))
	yes     = true
	owner   = metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "web-uid",
		Controller: &yes, BlockOwnerDeletion: &yes}
)

// replicaSet is default/web at generation 1, which selects app=web, with edits.
func replicaSet(replicas int32, edits ...func(*appsv1.ReplicaSet)) *appsv1.ReplicaSet {
	zero := int32(0)
	rs := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "web-uid", ResourceVersion: "5", Generation: 1},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web", "tier": "front"}},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
			},
		},
		Status: appsv1.ReplicaSetStatus{ObservedGeneration: 1, TerminatingReplicas: &zero},
	}
	for _, edit := range edits {
		edit(rs)
	}
	return rs
}

// counted sets the status that n active, fully labeled, ready and available Pods lead to.
func counted(n int32) func(*appsv1.ReplicaSet) {
	return func(rs *appsv1.ReplicaSet) {
		rs.Status.Replicas, rs.Status.FullyLabeledReplicas = n, n
		rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = n, n
	}
}

func beingDeleted(rs *appsv1.ReplicaSet) { rs.DeletionTimestamp = &deleted }

// pod is a Running and Ready Pod on node n1 that web owns, an hour old, with edits.
func pod(name string, edits ...func(*corev1.Pod)) *corev1.Pod {
	hourAgo := metav1.NewTime(now.Add(-time.Hour))
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, UID: types.UID(name + "-uid"), ResourceVersion: "6", CreationTimestamp: hourAgo,
			Labels: map[string]string{"app": "web", "tier": "front"}, OwnerReferences: []metav1.OwnerReference{owner},
		},
		Spec: corev1.PodSpec{NodeName: "n1"},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning,
			Conditions: []corev1.PodCondition{
				{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: hourAgo},
			},
		},
	}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func pods(n int) (out []*corev1.Pod) {
	for i := range n {
		out = append(out, pod(fmt.Sprintf("web-%d", i)))
	}
	return out
}

func orphan(p *corev1.Pod)     { p.OwnerReferences = nil }
func unmatched(p *corev1.Pod)  { p.Labels = map[string]string{"app": "other"} }
func untiered(p *corev1.Pod)   { p.Labels = map[string]string{"app": "web"} }
func ending(p *corev1.Pod)     { p.DeletionTimestamp = &deleted }
func unready(p *corev1.Pod)    { p.Status.Conditions[0].Status = corev1.ConditionFalse }
func pending(p *corev1.Pod)    { p.Status.Phase = corev1.PodPending }
func unassigned(p *corev1.Pod) { p.Spec.NodeName = "" }

func phase(phase corev1.PodPhase) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Phase = phase }
}

func readyFor(d time.Duration) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = metav1.NewTime(now.Add(-d)) }
}

func aged(d time.Duration) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.CreationTimestamp = metav1.NewTime(now.Add(-d)) }
}

func cost(value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Annotations = map[string]string{corev1.PodDeletionCost: value} }
}

func on(node string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.NodeName = node }
}

func restarted(n int32) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "a"}, {Name: "b", RestartCount: n}}
	}
}

func sidecarRestarted(n int32) func(*corev1.Pod) {
	always := corev1.ContainerRestartPolicyAlways
	return func(p *corev1.Pod) {
		p.Spec.InitContainers = []corev1.Container{{Name: "once"}, {Name: "proxy", RestartPolicy: &always}}
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "once", RestartCount: 99}, {Name: "proxy", RestartCount: n}}
	}
}

func uid(uid types.UID) func(*corev1.Pod) { return func(p *corev1.Pod) { p.UID = uid } }

func snapshot(rs *appsv1.ReplicaSet, pods ...*corev1.Pod) replicaset.Snapshot {
	return replicaset.Snapshot{ReplicaSet: rs, Pods: pods, Now: now}
}

func refused(s replicaset.Snapshot, r plan.Refusal) replicaset.Snapshot {
	s.Refused = &r
	return s
}
