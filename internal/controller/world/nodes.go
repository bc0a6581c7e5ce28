package world

import (
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/scheduler"
)

// Nodes keeps, for the scheduler, the nodes, what it must know of the Pods on each, and the pending
// Pods. It observes the mirror, so that a sync costs the number of nodes, not the number of Pods.
type Nodes struct {
	mu      sync.Mutex
	cluster *scheduler.Cluster
	gone    map[string]time.Time // cluster time since when a node that Pods name is known to be missing
}

// NewNodes makes an empty Nodes, which must observe the mirror.
func NewNodes() *Nodes {
	return &Nodes{cluster: scheduler.NewCluster(), gone: map[string]time.Time{}}
}

var _ mirror.Observer = (*Nodes)(nil)

// Reset implements mirror.Observer.
func (n *Nodes) Reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cluster = scheduler.NewCluster()
	clear(n.gone)
}

// Observe implements mirror.Observer.
func (n *Nodes) Observe(e mirror.Event) {
	switch e.New.Type.Plural {
	case "nodes":
		n.observeNode(e)
	case "pods":
		n.observePod(e)
	case "namespaces", "persistentvolumeclaims", "persistentvolumes", "storageclasses", "csidrivers", "csistoragecapacities",
		"resourceslices", "deviceclasses":
		n.helpAll()
	case "resourceclaims":
		if scheduler.MovesClaim(claimOf(e.Old), claimOf(e.New)) {
			n.helpAll()
		}
	}
}

// claimOf returns the ResourceClaim; nil if it no longer exists.
func claimOf(v *object.Version) *resourcev1.ResourceClaim {
	if v == nil || v.Verb == object.Deleted {
		return nil
	}
	return v.Object().(*resourcev1.ResourceClaim)
}

// helpAll has all pending Pods tried again.
func (n *Nodes) helpAll() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cluster.HelpAll()
}

func (n *Nodes) observeNode(e mirror.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if e.New.Verb == object.Deleted {
		n.cluster.RemoveNode(e.New.Name)
		// Syncs have whole seconds, and one that is due must not find that it is too early.
		n.gone[e.New.Name] = e.New.At.Time().Truncate(time.Second)
		n.drop(e.New.Name)
		return
	}
	delete(n.gone, e.New.Name)
	n.cluster.SetNode(e.New.Object().(*corev1.Node))
}

func (n *Nodes) observePod(e mirror.Event) {
	old, current := using(e.Old), using(e.New)
	if old != nil && current != nil && sameUse(old, current) {
		if (old.Status.StartTime == nil) != (current.Status.StartTime == nil) {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.cluster.StartPod(current)
		}
		return
	}
	waited, waits := pending(e.Old), pending(e.New)
	if old == nil && current == nil && waited == nil && waits == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if waits != nil {
		n.cluster.SetPending(waits)
	} else if waited != nil {
		n.cluster.RemovePending(waited.UID)
	}
	if old != nil {
		n.cluster.RemovePod(old)
		n.drop(old.Spec.NodeName)
	}
	if current != nil {
		n.cluster.AddPod(current)
	}
}

// sameUse reports whether nothing of a Pod on a node has changed except its status, and in that
// nothing of what the node has given it.
func sameUse(old, current *corev1.Pod) bool {
	resized := old.Generation > 1 && (old.Status.ObservedGeneration != current.Status.ObservedGeneration || podstate.Resizes(old) || podstate.Resizes(current))
	return !resized && old.Spec.NodeName == current.Spec.NodeName && old.Generation == current.Generation && maps.Equal(old.Labels, current.Labels) &&
		(old.DeletionTimestamp == nil) == (current.DeletionTimestamp == nil)
}

// using returns the Pod if it uses a node's resources: it is bound and has not ended.
func using(v *object.Version) *corev1.Pod {
	pod := unfinished(v)
	if pod == nil || pod.Spec.NodeName == "" {
		return nil
	}
	return pod
}

// pending returns the Pod if it has no node and needs one.
func pending(v *object.Version) *corev1.Pod {
	pod := unfinished(v)
	if pod == nil || pod.Spec.NodeName != "" || pod.DeletionTimestamp != nil {
		return nil
	}
	return pod
}

func unfinished(v *object.Version) *corev1.Pod {
	if v == nil || v.Verb == object.Deleted {
		return nil
	}
	pod := v.Object().(*corev1.Pod)
	if podstate.Terminal(pod) {
		return nil
	}
	return pod
}

// drop forgets since when a node has been missing that no Pod names any more.
func (n *Nodes) drop(name string) {
	if !n.cluster.Knows(name) {
		delete(n.gone, name)
	}
}

// MissingSince returns since when a node that Pods name has not existed, as far as this process
// knows: a process that has started later counts from the first time it was asked.
func (n *Nodes) MissingSince(name string, now time.Time) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, known := n.gone[name]; !known {
		n.gone[name] = now
	}
	return n.gone[name]
}

// Use calls f with the current cluster. It does not change while the mirror is held, and Use should
// be called then.
func (n *Nodes) Use(f func(*scheduler.Cluster)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f(n.cluster)
}
