package scheduler

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
)

// Cluster is the nodes and what the scheduler must know of the Pods on them. The caller keeps one
// and passes every change to it; while Reconcile uses it, nothing may change it.
//
// Pods that no selector can distinguish are one group, and a group records on which nodes its Pods
// are. So a question such as "Pods like these, by zone" is answered from a few groups, not from all
// Pods. Groups are found by namespace and by single labels.
type Cluster struct {
	nodes  map[string]*Node // including those that do not exist but are named by Pods; they have no Object
	sorted []*Node          // those that exist, by name; each has its place

	groups      map[string]*group
	byNamespace map[string]map[*group]struct{}
	byLabel     map[labelIn]map[*group]struct{}
	termed      map[*group]struct{} // groups of Pods with affinity or anti-affinity to Pods

	priorities map[int32]int                     // how many Pods on nodes have each priority
	waiting    map[types.UID]*nominee            // Pods without a node that have a nominated one
	nominated  map[string]map[types.UID]*nominee // the same, by node
	backlog    *backlog                          // Pods to schedule
}

// labelIn is a label within a namespace.
type labelIn struct{ namespace, key, value string }

// NewCluster makes a Cluster without nodes and Pods.
func NewCluster() *Cluster {
	return &Cluster{
		nodes: map[string]*Node{}, groups: map[string]*group{}, byNamespace: map[string]map[*group]struct{}{},
		byLabel: map[labelIn]map[*group]struct{}{}, termed: map[*group]struct{}{}, priorities: map[int32]int{},
		waiting: map[types.UID]*nominee{}, nominated: map[string]map[types.UID]*nominee{}, backlog: newBacklog(),
	}
}

// SetNode adds a node or replaces its object.
func (c *Cluster) SetNode(object *corev1.Node) {
	n := c.node(object.Name)
	if Moves(n.Object, object) {
		c.backlog.helpAll()
	}
	if n.Object == nil {
		i, _ := slices.BinarySearchFunc(c.sorted, object.Name, byName)
		c.sorted = slices.Insert(c.sorted, i, n)
		c.number(i)
	}
	n.Update(object)
}

// Moves reports whether the change of a node may let Pods fit that fit nowhere before, or alters
// why they do not fit. Either may be nil.
func Moves(old, node *corev1.Node) bool {
	return old == nil || node == nil || old.Spec.Unschedulable != node.Spec.Unschedulable || !maps.Equal(old.Labels, node.Labels) ||
		!equality.Semantic.DeepEqual(old.Spec.Taints, node.Spec.Taints) ||
		!equality.Semantic.DeepEqual(old.Status.Allocatable, node.Status.Allocatable)
}

// HelpAll records another change that may help Pods which fit nowhere, for example to volumes or
// namespaces.
func (c *Cluster) HelpAll() { c.backlog.helpAll() }

// Note stores what a batch has learned about the waiting Pods. Recall applies it before the next
// batch: these Pods are not tried again until something that may help them has changed. If Recall
// finds that the batch's plan has not been applied, it discards what was stored.
func (c *Cluster) Note(t Tried) { c.backlog.noted = t }

// Recall must be called before each batch: see Note.
func (c *Cluster) Recall() { c.backlog.recall() }

// RemoveNode removes a node. Its Pods stay counted in case it comes back.
func (c *Cluster) RemoveNode(name string) {
	n := c.nodes[name]
	if n == nil || n.Object == nil {
		return
	}
	i, _ := slices.BinarySearchFunc(c.sorted, name, byName)
	c.sorted = slices.Delete(c.sorted, i, i+1)
	c.number(i)
	c.backlog.helpAll()
	n.Object, n.Allocatable, n.MaxPods = nil, Resources{}, 0
	c.drop(n)
}

func byName(n *Node, name string) int { return strings.Compare(n.Object.Name, name) }

// number updates the places of the nodes from the i-th on.
func (c *Cluster) number(i int) {
	for ; i < len(c.sorted); i++ {
		c.sorted[i].place = i
	}
}

func (c *Cluster) node(name string) *Node {
	n := c.nodes[name]
	if n == nil {
		n = &Node{name: name}
		c.nodes[name] = n
	}
	return n
}

// drop removes a node that does not exist and has no Pods.
func (c *Cluster) drop(n *Node) {
	if n.Object == nil && len(n.pods) == 0 {
		delete(c.nodes, n.name)
	}
}

// Nodes are the nodes that exist, by name.
func (c *Cluster) Nodes() []*corev1.Node {
	out := make([]*corev1.Node, len(c.sorted))
	for i, n := range c.sorted {
		out[i] = n.Object
	}
	return out
}

// Knows reports whether the node exists or a Pod names it.
func (c *Cluster) Knows(node string) bool { return c.nodes[node] != nil }

// AddPod counts in a Pod that has a node and has not ended. A Pod that is already counted in is
// replaced.
func (c *Cluster) AddPod(pod *corev1.Pod) {
	c.RemovePod(pod)
	n := c.node(pod.Spec.NodeName)
	p := newPlaced(pod)
	p.group = c.groupOf(newParty(pod))
	p.group.nodes[n]++
	n.put(p)
	c.priorities[p.priority]++
	c.backlog.helpMinglers()
}

// RemovePod counts out a Pod by its uid and node. If it is not counted in, RemovePod does nothing.
func (c *Cluster) RemovePod(pod *corev1.Pod) {
	n := c.nodes[pod.Spec.NodeName]
	if n == nil || n.pods[pod.UID] == nil {
		return
	}
	p := n.take(pod.UID)
	c.backlog.helpAll()
	if c.priorities[p.priority]--; c.priorities[p.priority] == 0 {
		delete(c.priorities, p.priority)
	}
	if p.group.nodes[n]--; p.group.nodes[n] == 0 {
		delete(p.group.nodes, n)
	}
	if len(p.group.nodes) == 0 {
		c.forget(p.group)
	}
	c.drop(n)
}

// StartPod records when a Pod that is counted in was started.
func (c *Cluster) StartPod(pod *corev1.Pod) {
	if n := c.nodes[pod.Spec.NodeName]; n != nil && n.pods[pod.UID] != nil && pod.Status.StartTime != nil {
		n.start(n.pods[pod.UID], pod.Status.StartTime.Time)
	}
}

// SetPending adds or updates a Pod that has no node yet.
func (c *Cluster) SetPending(pod *corev1.Pod) {
	c.backlog.set(pod)
	node := pod.Status.NominatedNodeName
	if was := c.waiting[pod.UID]; was != nil && was.node != node {
		c.denominate(pod.UID)
	}
	if node == "" {
		return
	}
	w := &nominee{placed: *newPlaced(pod), node: node, party: newParty(pod)}
	c.waiting[pod.UID] = w
	if c.nominated[node] == nil {
		c.nominated[node] = map[types.UID]*nominee{}
	}
	c.nominated[node][pod.UID] = w
}

// RemovePending removes a Pod that has got a node or is gone.
func (c *Cluster) RemovePending(uid types.UID) {
	c.backlog.remove(uid)
	c.denominate(uid)
}

// denominate releases the room that is reserved for a Pod.
func (c *Cluster) denominate(uid types.UID) {
	w := c.waiting[uid]
	if w == nil {
		return
	}
	delete(c.waiting, uid)
	delete(c.nominated[w.node], uid)
	if len(c.nominated[w.node]) == 0 {
		delete(c.nominated, w.node)
	}
	c.backlog.helpAll()
}

// minglesBy reports whether the arrival of other Pods may help a Pod: it needs some near it, or an
// even spread.
func minglesBy(spec *corev1.PodSpec) bool {
	if a := spec.Affinity; a != nil && a.PodAffinity != nil && len(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution) > 0 {
		return true
	}
	return slices.ContainsFunc(spec.TopologySpreadConstraints, func(c corev1.TopologySpreadConstraint) bool {
		return c.WhenUnsatisfiable == corev1.DoNotSchedule
	})
}

// groupOf finds or makes the group.
func (c *Cluster) groupOf(p party) *group {
	key := p.key()
	if g := c.groups[key]; g != nil {
		return g
	}
	p.labels = maps.Clone(p.labels)
	g := &group{party: p, key: key, nodes: map[*Node]int64{}}
	c.groups[key] = g
	enter(c.byNamespace, p.namespace, g)
	for k, v := range p.labels {
		enter(c.byLabel, labelIn{p.namespace, k, v}, g)
	}
	if p.terms != nil {
		c.termed[g] = struct{}{}
	}
	return g
}

// forget removes a group without Pods.
func (c *Cluster) forget(g *group) {
	delete(c.groups, g.key)
	leave(c.byNamespace, g.namespace, g)
	for k, v := range g.labels {
		leave(c.byLabel, labelIn{g.namespace, k, v}, g)
	}
	delete(c.termed, g)
}

func enter[K comparable](index map[K]map[*group]struct{}, at K, g *group) {
	if index[at] == nil {
		index[at] = map[*group]struct{}{}
	}
	index[at][g] = struct{}{}
}

func leave[K comparable](index map[K]map[*group]struct{}, at K, g *group) {
	delete(index[at], g)
	if len(index[at]) == 0 {
		delete(index, at)
	}
}
