package worker

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/scheduler"
)

// Nodes keeps, for the scheduler, the sums of what the Pods on each node use. It observes the mirror, so that a look
// costs as much as there are nodes, not as there are Pods.
type Nodes struct {
	mu    sync.Mutex
	nodes map[string]*scheduler.Node // also of nodes that do not exist but are named by Pods; those have no Object
	gone  map[string]time.Time       // cluster time since when a node that Pods name has been seen not to exist
}

// NewNodes makes an empty Nodes, to be given to the mirror as an observer.
func NewNodes() *Nodes {
	return &Nodes{nodes: map[string]*scheduler.Node{}, gone: map[string]time.Time{}}
}

var _ mirror.Observer = (*Nodes)(nil)

// Reset implements mirror.Observer.
func (n *Nodes) Reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.nodes)
	clear(n.gone)
}

// Observe implements mirror.Observer.
func (n *Nodes) Observe(e mirror.Event) {
	switch e.New.Type.Plural {
	case "nodes":
		n.observeNode(e)
	case "pods":
		n.observePod(e)
	}
}

func (n *Nodes) observeNode(e mirror.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	node := n.get(e.New.Name)
	if e.New.Verb == object.Deleted {
		node.Object = nil
		n.gone[e.New.Name] = e.New.At
		n.drop(e.New.Name)
		return
	}
	delete(n.gone, e.New.Name)
	node.Update(e.New.Object().(*corev1.Node))
}

func (n *Nodes) observePod(e mirror.Event) {
	old, current := using(e.Old), using(e.New)
	if old != nil && current != nil && old.Spec.NodeName == current.Spec.NodeName && old.Generation == current.Generation {
		return // a change of status: what it uses is the same
	}
	if old == nil && current == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if old != nil {
		n.get(old.Spec.NodeName).Remove(old)
		n.drop(old.Spec.NodeName)
	}
	if current != nil {
		n.get(current.Spec.NodeName).Add(current)
	}
}

// using is the Pod if it uses a node's resources: it is bound and has not ended.
func using(v *object.Version) *corev1.Pod {
	if v == nil || v.Verb == object.Deleted {
		return nil
	}
	pod := v.Object().(*corev1.Pod)
	if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return nil
	}
	return pod
}

func (n *Nodes) get(name string) *scheduler.Node {
	node := n.nodes[name]
	if node == nil {
		node = &scheduler.Node{}
		n.nodes[name] = node
	}
	return node
}

// drop forgets a node that does not exist and has no Pods.
func (n *Nodes) drop(name string) {
	if node := n.nodes[name]; node.Object == nil && node.Pods == 0 {
		delete(n.nodes, name)
		delete(n.gone, name)
	}
}

// MissingSince is since when a node that Pods name has not existed, as far as this process knows: a process that has
// started later counts from the first time it was asked.
func (n *Nodes) MissingSince(name string, now time.Time) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, known := n.gone[name]; !known {
		n.gone[name] = now
	}
	return n.gone[name]
}

// Snapshot is the nodes that exist, as they are now.
func (n *Nodes) Snapshot() []scheduler.Node {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := make([]scheduler.Node, 0, len(n.nodes))
	for _, node := range n.nodes {
		if node.Object != nil {
			out = append(out, *node)
		}
	}
	return out
}
