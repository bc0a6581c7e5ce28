package history

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// state is the workloads at one revision, with how many Pods each has. Iterating over a history
// costs time proportional to its length.
type state struct {
	sets        map[types.UID]*appsv1.ReplicaSet // and ReplicationControllers in their form
	deployments map[types.UID]*appsv1.Deployment
	pods        map[types.UID]pod
	owners      map[types.UID]types.UID // the Deployment of every ReplicaSet that ever existed
	counts      map[types.UID]counts    // of ReplicaSets, and of Deployments through these
	selectors   map[types.UID]labels.Selector
}

// pod is what matters about a Pod.
type pod struct {
	owner types.UID
	counts
}

// counts are the Pods that are neither being deleted nor finished and still have the labels by
// which their ReplicaSet selects them, and those of them that are Ready.
type counts struct{ active, ready int }

func newState() *state {
	return &state{
		sets: map[types.UID]*appsv1.ReplicaSet{}, deployments: map[types.UID]*appsv1.Deployment{},
		pods: map[types.UID]pod{}, owners: map[types.UID]types.UID{}, counts: map[types.UID]counts{},
		selectors: map[types.UID]labels.Selector{},
	}
}

// apply moves the state forward by one entry.
func (s *state) apply(e Entry) {
	if e.Verb == object.Deleted {
		s.setPod(e.UID, pod{})
		delete(s.sets, e.UID)
		delete(s.deployments, e.UID)
		return
	}
	switch o := e.Object.(type) {
	case *corev1.Pod:
		p := pod{owner: controller(o)}
		if selector := s.selectors[p.owner]; podstate.Active(o) && (selector == nil || selector.Matches(labels.Set(o.Labels))) {
			p.active = 1
			if podstate.Ready(o) {
				p.ready = 1
			}
		}
		s.setPod(e.UID, p)
	case *appsv1.ReplicaSet:
		s.sets[e.UID] = o
		if e.Verb == object.Created && o.Spec.Selector != nil { // it never changes
			if selector, err := metav1.LabelSelectorAsSelector(o.Spec.Selector); err == nil {
				s.selectors[e.UID] = selector
			}
		}
		s.setOwner(e.UID, controller(o))
	case *corev1.ReplicationController: // its selector may change; it releases what it no longer selects
		s.sets[e.UID] = &appsv1.ReplicaSet{ObjectMeta: o.ObjectMeta, Spec: appsv1.ReplicaSetSpec{Replicas: o.Spec.Replicas}}
	case *appsv1.Deployment:
		s.deployments[e.UID] = o
	}
}

func (s *state) setPod(uid types.UID, p pod) {
	old := s.pods[uid]
	s.add(old.owner, counts{-old.active, -old.ready})
	s.add(s.owners[old.owner], counts{-old.active, -old.ready})
	s.add(p.owner, p.counts)
	s.add(s.owners[p.owner], p.counts)
	s.pods[uid] = p
}

// setOwner gives a ReplicaSet, with all its Pods, to a Deployment.
func (s *state) setOwner(set, owner types.UID) {
	old, c := s.owners[set], s.counts[set]
	if old == owner {
		return
	}
	s.add(old, counts{-c.active, -c.ready})
	s.add(owner, c)
	s.owners[set] = owner
}

func (s *state) add(owner types.UID, c counts) {
	if owner != "" {
		have := s.counts[owner]
		s.counts[owner] = counts{have.active + c.active, have.ready + c.ready}
	}
}

// sums add up the ReplicaSets of a Deployment.
type sums struct {
	asked   int // how many Pods they should have
	lasting int // how many of their ready Pods they may keep
	surplus int // how many Pods they have beyond that, which they are about to delete
}

func (s *state) sums(deployment types.UID) (sum sums) {
	for uid, set := range s.sets {
		if s.owners[uid] == deployment {
			n := replicas(set.Spec.Replicas)
			sum.asked += n
			sum.lasting += min(n, s.counts[uid].ready)
			sum.surplus += max(0, s.counts[uid].active-n)
		}
	}
	return sum
}

// controller returns the uid of the object's controller, "" for none.
func controller(o metav1.Object) types.UID {
	if ref := metav1.GetControllerOfNoCopy(o); ref != nil {
		return ref.UID
	}
	return ""
}

// replicas returns what a workload asks for, 1 by default.
func replicas(n *int32) int {
	if n == nil {
		return 1
	}
	return int(*n)
}
