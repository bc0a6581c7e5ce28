package deployment_test

import (
	"fmt"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/reconcile/deployment"
)

const (
	revision = "deployment.kubernetes.io/revision"
	history  = "deployment.kubernetes.io/revision-history"
	desired  = "deployment.kubernetes.io/desired-replicas"
	most     = "deployment.kubernetes.io/max-replicas"
	hashKey  = appsv1.DefaultDeploymentUniqueLabelKey
)

var (
	now   = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	yes   = true
	owner = metav1.OwnerReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", UID: "web-uid",
		Controller: &yes, BlockOwnerDeletion: &yes}
)

func ago(d time.Duration) metav1.Time { return metav1.NewTime(now.Add(-d)) }

// newDeployment is default/web of image "a" with the API's defaults, at generation 1, with edits.
func newDeployment(replicas int32, edits ...func(*appsv1.Deployment)) *appsv1.Deployment {
	limit, deadline := int32(10), int32(600)
	d := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "web-uid", ResourceVersion: "5", Generation: 1},
		Spec: appsv1.DeploymentSpec{
			Replicas:                &replicas,
			RevisionHistoryLimit:    &limit,
			ProgressDeadlineSeconds: &deadline,
			Selector:                &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template:                template("a"),
		},
	}
	rolling(intstr.FromString("25%"), intstr.FromString("25%"))(d)
	for _, edit := range edits {
		edit(d)
	}
	return d
}

func template(image string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: image}}},
	}
}

func rolling(surge, unavailable intstr.IntOrString) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) {
		d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType,
			RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &surge, MaxUnavailable: &unavailable}}
	}
}

func recreate(d *appsv1.Deployment) {
	d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
}

// resolved are the Deployment's surge and unavailable as the documentation defines them: rounded up
// and down, and one unavailable where both would be 0.
func resolved(d *appsv1.Deployment) (surge, unavailable int32) {
	n := int(*d.Spec.Replicas)
	s, _ := intstr.GetScaledValueFromIntOrPercent(d.Spec.Strategy.RollingUpdate.MaxSurge, n, true)
	u, _ := intstr.GetScaledValueFromIntOrPercent(d.Spec.Strategy.RollingUpdate.MaxUnavailable, n, false)
	if s == 0 && u == 0 {
		u = 1
	}
	return int32(s), int32(min(u, n))
}

// replicaSet is web's ReplicaSet "web-<image>" of that image, of the size and all of it available,
// with edits. Its hash label is the image, and its annotations are those of a Deployment of 3.
func replicaSet(image string, size int32, rev string, edits ...func(*appsv1.ReplicaSet)) *appsv1.ReplicaSet {
	zero := int32(0)
	t := template(image)
	t.Labels[hashKey] = image
	rs := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "web-" + image, UID: types.UID(image + "-uid"), ResourceVersion: "6", Generation: 1,
			Labels: map[string]string{"app": "web", hashKey: image}, OwnerReferences: []metav1.OwnerReference{owner},
			CreationTimestamp: ago(time.Hour), Annotations: map[string]string{revision: rev, desired: "3", most: "4"},
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &size,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web", hashKey: image}},
			Template: t,
		},
		Status: appsv1.ReplicaSetStatus{ObservedGeneration: 1, Replicas: size, FullyLabeledReplicas: size,
			ReadyReplicas: size, AvailableReplicas: size, TerminatingReplicas: &zero},
	}
	for _, edit := range edits {
		edit(rs)
	}
	return rs
}

func young(rs *appsv1.ReplicaSet)    { rs.CreationTimestamp = ago(time.Minute) }
func orphaned(rs *appsv1.ReplicaSet) { rs.OwnerReferences = nil }

func available(n int32) func(*appsv1.ReplicaSet) {
	return func(rs *appsv1.ReplicaSet) { rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = n, n }
}

// sized notes another number of desired replicas, and what comes to most.
func sized(n, atMost int) func(*appsv1.ReplicaSet) {
	return func(rs *appsv1.ReplicaSet) {
		rs.Annotations[desired], rs.Annotations[most] = fmt.Sprint(n), fmt.Sprint(atMost)
	}
}

func image(name string) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) { d.Spec.Template.Spec.Containers[0].Image = name }
}

func annotated(key, value string) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) { metav1.SetMetaDataAnnotation(&d.ObjectMeta, key, value) }
}

// counted sets the status of a Deployment whose Pods are all available, and updated of them new.
func counted(replicas, updated int32) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) {
		zero := int32(0)
		d.Status = appsv1.DeploymentStatus{ObservedGeneration: d.Generation, Replicas: replicas, UpdatedReplicas: updated,
			ReadyReplicas: replicas, AvailableReplicas: replicas, TerminatingReplicas: &zero, Conditions: d.Status.Conditions}
	}
}

// with adds a condition that was last updated a while ago.
func with(kind appsv1.DeploymentConditionType, status corev1.ConditionStatus, reason, message string, updated time.Duration) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) {
		d.Status.Conditions = append(d.Status.Conditions, appsv1.DeploymentCondition{Type: kind, Status: status, Reason: reason,
			Message: message, LastUpdateTime: ago(updated), LastTransitionTime: ago(updated)})
	}
}

func isAvailable(d *appsv1.Deployment) {
	with("Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.", time.Hour)(d)
}

func isComplete(d *appsv1.Deployment) {
	with("Progressing", "True", "NewReplicaSetAvailable", `ReplicaSet "web-a" has successfully progressed.`, time.Hour)(d)
}

// settled is a Deployment of 3 at revision 1 with nothing left to do, with edits.
func settled(edits ...func(*appsv1.Deployment)) *appsv1.Deployment {
	d := newDeployment(3, annotated(revision, "1"), isComplete, isAvailable, counted(3, 3))
	for _, edit := range edits {
		edit(d)
	}
	return d
}

func snapshot(d *appsv1.Deployment, sets ...*appsv1.ReplicaSet) deployment.Snapshot {
	return deployment.Snapshot{Deployment: d, ReplicaSets: sets, Now: now}
}

func conditionOf(d *appsv1.Deployment, kind appsv1.DeploymentConditionType) *appsv1.DeploymentCondition {
	for i := range d.Status.Conditions {
		if d.Status.Conditions[i].Type == kind {
			return &d.Status.Conditions[i]
		}
	}
	return nil
}

// pods are n active Pods of the ReplicaSet; the first ones are available.
func pods(of *appsv1.ReplicaSet, n, available int, edits ...func(*corev1.Pod)) (out []*corev1.Pod) {
	ref := *metav1.NewControllerRef(of, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))
	for i := range n {
		name := fmt.Sprintf("%s-%d", of.Name, i)
		p := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name), Labels: of.Spec.Template.Labels,
				OwnerReferences: []metav1.OwnerReference{ref}},
			Status: corev1.PodStatus{Phase: corev1.PodRunning},
		}
		if i < available {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: ago(time.Hour)}}
		}
		for _, edit := range edits {
			edit(p)
		}
		out = append(out, p)
	}
	return out
}

func limited(n int32) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) { d.Spec.RevisionHistoryLimit = &n }
}

func statusDiff(want, got appsv1.DeploymentStatus) string { return cmp.Diff(want, got) }
