package controller

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/deployment"
	"github.com/rowlock/rowlock/internal/reconcile/job"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/replicaset"
)

func lookAtDeployment(v mirror.View, o *object.Version, refused *plan.Refusal, now time.Time) plan.Plan {
	s := SnapshotDeployment(v, o.Object().(*appsv1.Deployment), now)
	s.Refused = refused
	return deployment.Reconcile(s)
}

// SnapshotDeployment is what the controller sees of a Deployment, which need not be as it is in the view.
func SnapshotDeployment(v mirror.View, d *appsv1.Deployment, now time.Time) deployment.Snapshot {
	s := deployment.Snapshot{Deployment: d, Now: now}
	s.ReplicaSets = append(typed[*appsv1.ReplicaSet](v, mirror.ByOwner, string(d.UID)),
		orphans[*appsv1.ReplicaSet](v, mirror.OrphanReplicaSets, d.Namespace, d.Spec.Selector)...)
	if s.NeedsPods() {
		for _, rs := range s.ReplicaSets {
			if metav1.IsControlledBy(rs, d) {
				s.Pods = append(s.Pods, typed[*corev1.Pod](v, mirror.ByOwner, string(rs.UID))...)
			}
		}
	}
	return s
}

func lookAtReplicaSet(v mirror.View, o *object.Version, refused *plan.Refusal, now time.Time) plan.Plan {
	s := SnapshotReplicaSet(v, o.Object().(*appsv1.ReplicaSet), now)
	s.Refused = refused
	return replicaset.Reconcile(s)
}

// SnapshotReplicaSet is what the controller sees of a ReplicaSet, which need not be as it is in the view.
func SnapshotReplicaSet(v mirror.View, rs *appsv1.ReplicaSet, now time.Time) replicaset.Snapshot {
	s := replicaset.Snapshot{ReplicaSet: rs, Now: now}
	s.Pods = append(typed[*corev1.Pod](v, mirror.ByOwner, string(rs.UID)), orphans[*corev1.Pod](v, mirror.OrphanPods, rs.Namespace, rs.Spec.Selector)...)
	if owner := metav1.GetControllerOfNoCopy(rs); owner != nil && s.NeedsNodeRank() {
		s.NodeRank = map[string]int{}
		for _, related := range typed[*appsv1.ReplicaSet](v, mirror.ByOwner, string(owner.UID)) {
			for _, pod := range typed[*corev1.Pod](v, mirror.ByOwner, string(related.UID)) {
				if podstate.Active(pod) {
					s.NodeRank[pod.Spec.NodeName]++
				}
			}
		}
	}
	return s
}

func (w World) lookAtJob(v mirror.View, o *object.Version, look engine.Look, now time.Time) func(*plan.Refusal) plan.Plan {
	s := SnapshotJob(v, o.Object().(*batchv1.Job), now)
	s.Memory, s.BackoffCap = look.Memory, w.JobBackoffCap
	return func(refused *plan.Refusal) plan.Plan {
		s.Refused = refused
		return job.Reconcile(s)
	}
}

// SnapshotJob is what the controller sees of a Job, which need not be as it is in the view, but for what it remembers.
func SnapshotJob(v mirror.View, j *batchv1.Job, now time.Time) job.Snapshot {
	s := job.Snapshot{Job: j, Now: now}
	s.Pods = typed[*corev1.Pod](v, mirror.ByOwner, string(j.UID))
	if !job.Finished(j) {
		s.Pods = append(s.Pods, orphans[*corev1.Pod](v, mirror.OrphanPods, j.Namespace, j.Spec.Selector)...)
	}
	return s
}

// orphans are the objects without a controller that a selector may select in a namespace: those with the rarest of the labels that it
// demands, or all where it demands none.
func orphans[T object.Object](v mirror.View, index mirror.Index, namespace string, selector *metav1.LabelSelector) []T {
	in, fewest := namespace, v.EachIn(index, namespace, nil)
	if selector != nil {
		for key, value := range selector.MatchLabels {
			label := mirror.Label(namespace, key, value)
			if n := v.EachIn(index, label, nil); n < fewest || n == fewest && label < in {
				in, fewest = label, n
			}
		}
	}
	return typed[T](v, index, in)
}
