package deployment

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The annotations in which a Deployment and its ReplicaSets keep the history of rollouts.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go
const (
	revisionAnnotation        = "deployment.kubernetes.io/revision"
	revisionHistoryAnnotation = "deployment.kubernetes.io/revision-history"
	desiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas"
	maxReplicasAnnotation     = "deployment.kubernetes.io/max-replicas"

	maxRevisionHistoryBytes = 2000
)

// ownAnnotations are not copied between a Deployment and its ReplicaSets.
var ownAnnotations = []string{
	corev1.LastAppliedConfigAnnotation,
	revisionAnnotation,
	revisionHistoryAnnotation,
	desiredReplicasAnnotation,
	maxReplicasAnnotation,
	appsv1.DeprecatedRollbackTo,
}

// syncRevision gives the new ReplicaSet, if it exists, the highest revision, the Deployment's
// annotations and its minReadySeconds, and copies the revision to the Deployment.
//
// Source: kubernetes v1.36 pkg/controller/deployment/sync.go, getNewReplicaSet
func (r *rollout) syncRevision() {
	if r.new == nil {
		return
	}
	r.annotateRevision(r.nextRevision())
	if r.new.Spec.MinReadySeconds != r.d.Spec.MinReadySeconds {
		r.new.edit().Spec.MinReadySeconds = r.d.Spec.MinReadySeconds
	}
	r.publishRevision()
	if r.hasDeadline() && condition(r.d.Status.Conditions, appsv1.DeploymentProgressing) == nil {
		r.setProgressing(corev1.ConditionTrue, "FoundNewReplicaSet", fmt.Sprintf("Found new replica set %q", r.new.Name))
	}
}

// annotateRevision copies the Deployment's annotations to the new ReplicaSet and raises its
// revision to next. If it had a revision before, this is a rollback, and that revision is added to
// its history (DEP-051). A revision higher than next stays, because older ReplicaSets may have been
// deleted since. A revision that is not a number is left alone.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, SetNewReplicaSetAnnotations
func (r *rollout) annotateRevision(next int64) {
	set := r.new
	for _, key := range slices.Sorted(maps.Keys(r.d.Annotations)) {
		if !slices.Contains(ownAnnotations, key) {
			set.annotate(key, r.d.Annotations[key])
		}
	}
	before, had := set.Annotations[revisionAnnotation]
	revision, ok := revisionOf(set.ReplicaSet)
	if !ok || revision >= next {
		return
	}
	set.annotate(revisionAnnotation, strconv.FormatInt(next, 10))
	if had {
		set.annotate(revisionHistoryAnnotation, appendRevision(set.Annotations[revisionHistoryAnnotation], before))
	}
}

// appendRevision adds a revision to a history such as "1,3". It drops the oldest ones if the
// history grows too long.
func appendRevision(history, revision string) string {
	if history == "" {
		return revision
	}
	for len(history)+len(",")+len(revision) > maxRevisionHistoryBytes {
		_, rest, more := strings.Cut(history, ",")
		if !more {
			return revision
		}
		history = rest
	}
	return history + "," + revision
}

// nextRevision is one more than the highest revision of the old ReplicaSets.
func (r *rollout) nextRevision() int64 {
	var highest int64
	for _, set := range r.old {
		if revision, ok := revisionOf(set.ReplicaSet); ok {
			highest = max(highest, revision)
		}
	}
	return highest + 1
}

// publishRevision copies the new ReplicaSet's revision to the Deployment (DEP-042).
func (r *rollout) publishRevision() {
	metav1.SetMetaDataAnnotation(&r.d.ObjectMeta, revisionAnnotation, r.new.Annotations[revisionAnnotation])
}

// annotateReplicas records on the ReplicaSet the Deployment's desired and maximum number of
// replicas. They serve to detect and distribute a later change of spec.replicas. It reports whether
// that changed anything.
func (r *rollout) annotateReplicas(set *replicaSet) bool {
	desired := set.annotate(desiredReplicasAnnotation, strconv.Itoa(int(r.desired())))
	most := set.annotate(maxReplicasAnnotation, strconv.Itoa(int(r.desired()+r.maxSurge())))
	return desired || most
}

// revisionOf is the ReplicaSet's revision, 0 if it has none; false if its revision is not a number.
func revisionOf(rs *appsv1.ReplicaSet) (int64, bool) {
	value, ok := rs.Annotations[revisionAnnotation]
	if !ok || value == "" {
		return 0, true
	}
	revision, err := strconv.ParseInt(value, 10, 64)
	return revision, err == nil
}
