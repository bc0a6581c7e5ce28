package history

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Live returns the objects that exist at the end of a history, by key.
func Live(h History) map[object.Key]object.Object {
	live := map[object.Key]object.Object{}
	for _, e := range h {
		if e.Verb == object.Deleted {
			delete(live, e.Key)
		} else {
			live[e.Key] = e.Object
		}
	}
	return live
}

// Converged checks that a cluster which has been left alone has reached its desired state:
//
//   - Nothing is being deleted, nothing has outlived its owners, and no Pod is on a node that does
//     not exist.
//   - Every Pod that has not finished has a node, and is Ready.
//   - Every ReplicaSet and ReplicationController has the Pods that it asks for, and reports so.
//     Every Deployment that is not paused has them in one ReplicaSet.
//   - Every StatefulSet has only available Pods of its newest template.
//   - Every DaemonSet has an available Pod of its newest template on every node where it wants one,
//     and reports so.
//   - Every Job that is not suspended has finished, and all its Pods are counted.
//
// The objects are all existing ones, of some resources, each of them complete.
func Converged(live map[object.Key]object.Object) []Violation {
	c := converged{uids: map[types.UID]bool{}, nodes: map[string]bool{}, active: map[types.UID]int{}, sets: map[types.UID]int{}}
	for key, o := range live {
		c.uids[o.GetUID()] = true
		switch o := o.(type) {
		case *corev1.Node:
			c.nodes[key.Name] = true
		case *corev1.Pod:
			if podstate.Active(o) {
				c.active[controller(o)]++
			}
		case *appsv1.ReplicaSet:
			if replicas(o.Spec.Replicas) > 0 {
				c.sets[controller(o)]++
			}
		}
	}
	var found []Violation
	for key, o := range live {
		for _, message := range c.judge(o) {
			found = append(found, Violation{Key: key, Message: message})
		}
	}
	return found
}

type converged struct {
	uids   map[types.UID]bool
	nodes  map[string]bool
	active map[types.UID]int // Pods by controller
	sets   map[types.UID]int // ReplicaSets that ask for Pods, by controller
}

func (c converged) judge(o object.Object) (wrong []string) {
	if o.GetDeletionTimestamp() != nil {
		wrong = append(wrong, fmt.Sprintf("is being deleted, with the finalizers %q", o.GetFinalizers()))
	}
	orphan := len(o.GetOwnerReferences()) > 0
	for _, ref := range o.GetOwnerReferences() {
		orphan = orphan && !c.uids[ref.UID]
	}
	if orphan {
		wrong = append(wrong, "has outlived its owners")
	}
	switch o := o.(type) {
	case *corev1.Pod:
		switch {
		case podstate.Terminal(o):
		case o.Spec.NodeName == "":
			wrong = append(wrong, "has no node")
		case !podstate.Ready(o):
			wrong = append(wrong, "is not ready")
		}
		if o.Spec.NodeName != "" && !c.nodes[o.Spec.NodeName] {
			wrong = append(wrong, "is on "+o.Spec.NodeName+", which does not exist")
		}
	case *appsv1.ReplicaSet:
		want, s := replicas(o.Spec.Replicas), o.Status
		if c.active[o.UID] != want || int(s.Replicas) != want || int(s.ReadyReplicas) != want || s.ObservedGeneration != o.Generation {
			wrong = append(wrong, fmt.Sprintf("asks for %d Pods and has %d; its status says %d, %d of them ready, of generation %d of %d",
				want, c.active[o.UID], s.Replicas, s.ReadyReplicas, s.ObservedGeneration, o.Generation))
		}
	case *corev1.ReplicationController:
		want, s := replicas(o.Spec.Replicas), o.Status
		if c.active[o.UID] != want || int(s.Replicas) != want || int(s.ReadyReplicas) != want || s.ObservedGeneration != o.Generation {
			wrong = append(wrong, fmt.Sprintf("asks for %d Pods and has %d; its status says %d, %d of them ready, of generation %d of %d",
				want, c.active[o.UID], s.Replicas, s.ReadyReplicas, s.ObservedGeneration, o.Generation))
		}
	case *appsv1.Deployment:
		want, s := int32(replicas(o.Spec.Replicas)), o.Status
		if o.Spec.Paused {
			break
		}
		if s.Replicas != want || s.UpdatedReplicas != want || s.AvailableReplicas != want || s.ObservedGeneration != o.Generation || c.sets[o.UID] > 1 {
			wrong = append(wrong, fmt.Sprintf("asks for %d Pods; its status says %d, %d of them updated and %d available, "+
				"of generation %d of %d; %d ReplicaSets have some",
				want, s.Replicas, s.UpdatedReplicas, s.AvailableReplicas, s.ObservedGeneration, o.Generation, c.sets[o.UID]))
		}
	case *appsv1.StatefulSet:
		wrong = append(wrong, incomplete(o, c.active[o.UID])...)
	case *appsv1.DaemonSet:
		wrong = append(wrong, uncovered(o, c.active[o.UID])...)
	case *batchv1.Job:
		u := uncounted(o)
		if suspended := o.Spec.Suspend != nil && *o.Spec.Suspend; !finished(o) && !suspended || c.active[o.UID] > 0 || len(u.Succeeded)+len(u.Failed) > 0 {
			wrong = append(wrong, fmt.Sprintf(
				"has not come to its end: %d Pods are active, %d must be counted, conditions %v",
				c.active[o.UID], len(u.Succeeded)+len(u.Failed), o.Status.Conditions,
			))
		}
	}
	return wrong
}

// uncovered reports a DaemonSet that does not have one updated, available Pod on each of its nodes.
func uncovered(o *appsv1.DaemonSet, active int) []string {
	s := o.Status
	want := s.DesiredNumberScheduled
	if int32(active) == want+s.NumberMisscheduled && s.CurrentNumberScheduled == want && s.UpdatedNumberScheduled == want &&
		s.NumberAvailable == want && s.ObservedGeneration == o.Generation {
		return nil
	}
	return []string{fmt.Sprintf("has %d Pods; its status says %d of %d nodes, "+
		"%d of them updated and %d available, and %d too many, of generation %d of %d",
		active, s.CurrentNumberScheduled, want, s.UpdatedNumberScheduled, s.NumberAvailable, s.NumberMisscheduled,
		s.ObservedGeneration, o.Generation)}
}
