package deployment

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// rollbackTo is the revision that the annotation deprecated.deployment.rollback.to requests, 0 for
// the previous one; false if it requests none. kubectl rollout undo does not use the annotation: it
// patches the template itself (DEP-052).
//
// Source: kubernetes v1.36 pkg/controller/deployment/rollback.go, getRollbackTo
func rollbackTo(d *appsv1.Deployment) (int64, bool) {
	revision, err := strconv.ParseInt(d.Annotations[appsv1.DeprecatedRollbackTo], 10, 64)
	return revision, err == nil
}

// rollback copies the template of an earlier revision to the Deployment. It removes the request
// whether or not it succeeds. The next step rolls out the template.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rollback.go, rollback
func (r *rollout) rollback(revision int64) {
	if !r.ensureNew() {
		return
	}
	missing := "Unable to find the revision to rollback to."
	if revision == 0 {
		revision, missing = r.lastRevision(), "Unable to find last revision."
	}
	delete(r.d.Annotations, appsv1.DeprecatedRollbackTo)
	r.plan.WakeAt = r.Now
	for _, set := range r.sets() {
		if v, ok := revisionOf(set.ReplicaSet); ok && v == revision && v > 0 {
			r.restore(set, revision)
			return
		}
	}
	r.event(corev1.EventTypeWarning, "DeploymentRollbackRevisionNotFound", missing)
}

// restore copies the ReplicaSet's template and annotations to the Deployment.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rollback.go, rollbackToTemplate
func (r *rollout) restore(set *replicaSet, revision int64) {
	if equalTemplates(&r.d.Spec.Template, &set.Spec.Template) {
		r.event(corev1.EventTypeWarning, "DeploymentRollbackTemplateUnchanged",
			fmt.Sprintf("The rollback revision contains the same template as current deployment %q", r.d.Name))
		return
	}
	r.d.Spec.Template = *set.Spec.Template.DeepCopy()
	r.d.Spec.Template.Labels = withoutHash(r.d.Spec.Template.Labels)
	maps.DeleteFunc(r.d.Annotations, func(key, _ string) bool { return !slices.Contains(ownAnnotations, key) })
	for key, value := range set.Annotations {
		if !slices.Contains(ownAnnotations, key) {
			r.d.Annotations[key] = value
		}
	}
	r.event(corev1.EventTypeNormal, "DeploymentRollback",
		fmt.Sprintf("Rolled back deployment %q to revision %d", r.d.Name, revision))
}

// lastRevision is the second highest revision; 0 if fewer than two exist.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, LastRevision
func (r *rollout) lastRevision() int64 {
	var highest, second int64
	for _, set := range r.sets() {
		switch v, ok := revisionOf(set.ReplicaSet); {
		case !ok:
		case v >= highest:
			highest, second = v, highest
		case v > second:
			second = v
		}
	}
	return second
}
