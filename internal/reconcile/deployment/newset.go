package deployment

import (
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
)

// ensureNew creates the new ReplicaSet if it does not exist. If it cannot be created now, ensureNew
// returns false: this step ends, and the Deployment's status gives the reason.
//
// Source: kubernetes v1.36 pkg/controller/deployment/sync.go, getNewReplicaSet
func (r *rollout) ensureNew() bool {
	if r.new != nil {
		return true
	}
	rs := r.draft()
	switch {
	case r.nameTaken(rs.Name):
		r.collide()
		return false
	case r.Refused != nil:
		r.refuse(rs.Name)
		return false
	}
	r.new = &replicaSet{ReplicaSet: rs}
	n := r.grown(r.new)
	rs.Spec.Replicas = &n
	r.annotateRevision(r.nextRevision())
	r.annotateReplicas(r.new)
	r.plan.Creates = append(r.plan.Creates, plan.Create{Object: rs})
	if n > 0 {
		r.event(corev1.EventTypeNormal, "ScalingReplicaSet", fmt.Sprintf("Scaled up replica set %s from 0 to %d", rs.Name, n))
	}
	r.publishRevision()
	if r.hasDeadline() {
		r.setProgressing(corev1.ConditionTrue, "NewReplicaSetCreated", fmt.Sprintf("Created new replica set %q", rs.Name))
	}
	return true
}

// draft is the new ReplicaSet, with size 0 and without annotations. The hash of the template
// becomes part of its name, its labels, its selector and its template's labels (DEP-018, DEP-019).
func (r *rollout) draft() *appsv1.ReplicaSet {
	hash := podtemplate.Hash(&r.d.Spec.Template, r.d.Status.CollisionCount)
	template := *r.d.Spec.Template.DeepCopy()
	template.Labels = withHash(template.Labels, hash)
	selector := r.d.Spec.Selector.DeepCopy()
	selector.MatchLabels = withHash(selector.MatchLabels, hash)
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       r.d.Namespace,
			Name:            replicaSetName(r.d.Name, hash),
			Labels:          maps.Clone(template.Labels),
			OwnerReferences: []metav1.OwnerReference{r.by.Reference()},
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas:        new(int32),
			MinReadySeconds: r.d.Spec.MinReadySeconds,
			Selector:        selector,
			Template:        template,
		},
	}
}

// nameTaken reports whether a ReplicaSet with another template or another owner already has the
// name.
func (r *rollout) nameTaken(name string) bool {
	if r.Refused != nil && r.Refused.Reason == metav1.StatusReasonAlreadyExists {
		return true
	}
	for _, rs := range r.ReplicaSets {
		if rs.Name == name && rs.Namespace == r.d.Namespace {
			return true
		}
	}
	return false
}

// collide makes the next step try another hash of the same template.
func (r *rollout) collide() {
	var count int32
	if r.d.Status.CollisionCount != nil {
		count = *r.d.Status.CollisionCount
	}
	count++
	r.d.Status.CollisionCount = &count
	r.plan.WakeAt = r.Now
}

// refuse reports that the new ReplicaSet could not be created (DEP-074). In a namespace that is
// being terminated nothing can be created, and refuse reports nothing.
func (r *rollout) refuse(name string) {
	if r.Refused.NamespaceTerminating {
		return
	}
	message := fmt.Sprintf("Failed to create new replica set %q: %s", name, r.Refused.Message)
	if r.hasDeadline() {
		r.setProgressing(corev1.ConditionFalse, "ReplicaSetCreateError", message)
	}
	r.event(corev1.EventTypeWarning, "ReplicaSetCreateError", message)
}

// replicaSetName is "<deployment>-<hash>". A very long Deployment name is truncated.
//
// Source: kubernetes v1.36 pkg/controller/deployment/sync.go, generateReplicaSetName
func replicaSetName(deployment, hash string) string {
	room := validation.DNS1123SubdomainMaxLength - len("-") - len(hash)
	return deployment[:min(len(deployment), room)] + "-" + hash
}

// equalTemplates compares two templates, ignoring their hash labels.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, EqualIgnoreHash
func equalTemplates(a, b *corev1.PodTemplateSpec) bool {
	x, y := *a, *b
	x.Labels, y.Labels = withoutHash(a.Labels), withoutHash(b.Labels)
	return equality.Semantic.DeepEqual(x, y)
}

func withHash(labels map[string]string, hash string) map[string]string {
	out := make(map[string]string, len(labels)+1)
	maps.Copy(out, labels)
	out[appsv1.DefaultDeploymentUniqueLabelKey] = hash
	return out
}

func withoutHash(labels map[string]string) map[string]string {
	if _, ok := labels[appsv1.DefaultDeploymentUniqueLabelKey]; !ok {
		return labels
	}
	out := maps.Clone(labels)
	delete(out, appsv1.DefaultDeploymentUniqueLabelKey)
	return out
}
