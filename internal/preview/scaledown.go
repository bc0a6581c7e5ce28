package preview

import (
	"context"
	"errors"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/workload"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/deployment"
	"github.com/rowlock/rowlock/internal/reconcile/job"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/replicaset"
	"github.com/rowlock/rowlock/internal/reconcile/replicationcontroller"
	"github.com/rowlock/rowlock/internal/reconcile/statefulset"
)

// ErrNotFound says that there is no object with that name.
var ErrNotFound = errors.New("preview: not found")

// Source is what previews are made from. Safe to share.
type Source struct {
	Mirror *mirror.Mirror
	Kinds  *kind.Catalogue
	Now    func() time.Time // cluster time
	// Memory returns what a controller remembers beside an object, nil for nothing.
	Memory func(ctx context.Context, uid types.UID) ([]byte, error)
	// JobBackoffCap is world.World's.
	JobBackoffCap time.Duration
}

// ScaleDown is the effect of another number of replicas on a workload.
type ScaleDown struct {
	Revision object.Revision // the revision of the preview
	UID      types.UID
	From     int32
	Shrinks  []Shrink
}

// Shrink is one object that loses Pods: the workload itself, or one of a Deployment's ReplicaSets.
type Shrink struct {
	Name     string
	UID      types.UID
	From, To int32
	Victims  []podstate.Victim // in the order of their deletion
}

// Scalable are the resources that have a ScaleDown.
var Scalable = []string{"deployments.apps", "jobs.batch", "replicasets.apps", "replicationcontrollers", "statefulsets.apps"}

// ScaleDown returns which Pods would be deleted if the object had this many replicas or, for a Job,
// this parallelism. For a Deployment in the middle of a rollout, it only returns the next step.
// Errors: ErrNotFound, mirror.ErrUnavailable, mirror.ErrTooLarge, those of Memory, ctx's.
func (s *Source) ScaleDown(ctx context.Context, key object.Key, replicas int32) (ScaleDown, error) {
	if !slices.Contains(Scalable, key.Resource) {
		return ScaleDown{}, ErrNotFound
	}
	if err := s.Mirror.Fresh(ctx); err != nil {
		return ScaleDown{}, err
	}
	current := s.Mirror.Get(key)
	if current == nil {
		return ScaleDown{}, ErrNotFound
	}
	var memory []byte
	if key.Resource == "jobs.batch" {
		var err error
		if memory, err = s.Memory(ctx, current.UID); err != nil {
			return ScaleDown{}, err
		}
	}
	above := current.UID
	if owner := metav1.GetControllerOfNoCopy(current.Object()); owner != nil && key.Resource == apps.ReplicaSet.Resource() {
		above = owner.UID // the Pods besides those of a ReplicaSet count
	}
	if err := s.decode(ctx, above); err != nil {
		return ScaleDown{}, err
	}
	now := s.Now()
	var out ScaleDown
	var rank func()
	s.Mirror.Read(func(v mirror.View) {
		if current = v.Get(key); current == nil {
			return
		}
		out.Revision, out.UID = v.Revision(), current.UID
		switch o := current.Object().DeepCopyObject().(type) {
		case *appsv1.ReplicaSet:
			out.From, o.Spec.Replicas = numberOf(o.Spec.Replicas), &replicas
			rank = out.shrink(workload.SnapshotReplicaSet(v, o, now), out.From)
		case *corev1.ReplicationController:
			out.From, o.Spec.Replicas = numberOf(o.Spec.Replicas), &replicas
			snapshot := workload.SnapshotReplicationController(v, o, now)
			rank = func() { out.only(o.Name, replicas, replicationcontroller.Victims(snapshot)) }
		case *appsv1.StatefulSet:
			out.From, o.Spec.Replicas = numberOf(o.Spec.Replicas), &replicas
			snapshot := workload.SnapshotStatefulSet(v, o, now)
			rank = func() { out.only(o.Name, replicas, statefulset.Victims(snapshot)) }
		case *appsv1.Deployment:
			rank = out.shrinkDeployment(v, o, replicas, now)
		case *batchv1.Job:
			out.From, o.Spec.Parallelism = numberOf(o.Spec.Parallelism), &replicas
			snapshot := workload.SnapshotJob(v, o, now)
			snapshot.Memory, snapshot.BackoffCap = memory, s.JobBackoffCap
			rank = func() { out.only(o.Name, replicas, job.Victims(snapshot)) }
		}
	})
	if current == nil {
		return ScaleDown{}, ErrNotFound
	}
	rank() // with the mirror released
	return out, nil
}

// only records that the workload itself loses Pods.
func (d *ScaleDown) only(name string, to int32, victims []podstate.Victim) {
	d.Shrinks = []Shrink{{Name: name, UID: d.UID, From: d.From, To: to, Victims: victims}}
}

// shrink ranks the Pods of a ReplicaSet that gets another size.
func (d *ScaleDown) shrink(s replicaset.Snapshot, from int32) func() {
	rs := s.ReplicaSet
	return func() {
		d.Shrinks = append(d.Shrinks, Shrink{Name: rs.Name, UID: rs.UID, From: from, To: numberOf(rs.Spec.Replicas), Victims: replicaset.Victims(s)})
	}
}

// shrinkDeployment asks the Deployment's controller for the sizes of its ReplicaSets, and ranks the
// Pods of those that shrink.
func (d *ScaleDown) shrinkDeployment(v mirror.View, o *appsv1.Deployment, replicas int32, now time.Time) func() {
	if d.From = numberOf(o.Spec.Replicas); d.From != replicas {
		o.Spec.Replicas = &replicas
		o.Generation++ // as the API does
	}
	s := workload.SnapshotDeployment(v, o, now)
	var ranks []func()
	for _, update := range deployment.Reconcile(s).Updates {
		was, next := sizes(s, update)
		if next == nil || numberOf(next.Spec.Replicas) >= numberOf(was.Spec.Replicas) {
			continue
		}
		ranks = append(ranks, d.shrink(workload.SnapshotReplicaSet(v, next, now), numberOf(was.Spec.Replicas)))
	}
	return func() {
		for _, rank := range ranks {
			rank()
		}
	}
}

// sizes returns a ReplicaSet before and after an update; nil for an update of something else.
func sizes(s deployment.Snapshot, update plan.Update) (was, next *appsv1.ReplicaSet) {
	next, ok := update.Object.(*appsv1.ReplicaSet)
	if !ok {
		return nil, nil
	}
	for _, rs := range s.ReplicaSets {
		if rs.UID == next.UID {
			return rs, next
		}
	}
	return nil, nil
}

// numberOf returns a number of replicas, which defaults to 1.
func numberOf(n *int32) int32 {
	if n == nil {
		return 1
	}
	return *n
}
