package scheduler

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
)

// batch is the nodes while a batch is being scheduled: the snapshot's, with the Pods placed so far counted in.
type batch struct {
	nodes   []Node // by name
	now     metav1.Time
	byOwner map[types.UID]*class
	recent  []*class // classes of Pods without an owner, the newest last
}

// comparedClasses is how many classes a Pod without an owner is compared with before it gets its own.
const comparedClasses = 8

func newBatch(s Snapshot) *batch {
	b := &batch{nodes: slices.Clone(s.Nodes), now: metav1.Time{Time: s.Now.Truncate(time.Second)}, byOwner: map[types.UID]*class{}}
	slices.SortFunc(b.nodes, func(x, y Node) int { return strings.Compare(x.Object.Name, y.Object.Name) })
	return b
}

// class is Pods that ask for the same, and the nodes that may be given to them.
type class struct {
	pod     *corev1.Pod // the first of them, which stands for all
	request Resources
	ports   []HostPort

	selective bool // required is worth asking
	required  nodeaffinity.RequiredNodeAffinity
	named     []string // the only nodes that the Pods may run on; nil for any

	heap     []candidate
	filled   bool
	hopeless string // why no node is left; empty while there may be one
}

// candidate is a node that passed the filters, with what it was worth when it was last compared. Loads only grow
// within a batch, so a candidate is never better than it says.
type candidate struct {
	node   int   // in batch.nodes, which are sorted by name
	shy    int64 // static: how little the Pods prefer the node
	placed int64 // Pods of the class that the node has got in this batch
	load   int64
}

func (c candidate) compare(o candidate) int {
	return cmp.Or(cmp.Compare(c.shy, o.shy), cmp.Compare(c.placed, o.placed), cmp.Compare(c.load, o.load), cmp.Compare(c.node, o.node))
}

// classOf finds the Pod's class or makes it.
func (b *batch) classOf(pod *corev1.Pod) *class {
	if owner := metav1.GetControllerOfNoCopy(pod); owner != nil {
		if c := b.byOwner[owner.UID]; c != nil && sameDemands(&c.pod.Spec, &pod.Spec) {
			return c
		}
		c := newClass(pod)
		b.byOwner[owner.UID] = c
		return c
	}
	for _, c := range slices.Backward(b.recent[max(0, len(b.recent)-comparedClasses):]) {
		if sameDemands(&c.pod.Spec, &pod.Spec) {
			return c
		}
	}
	c := newClass(pod)
	b.recent = append(b.recent, c)
	return c
}

func newClass(pod *corev1.Pod) *class {
	c := &class{pod: pod, request: Requests(pod), ports: hostPorts(pod)}
	if pod.Spec.NodeSelector != nil || pod.Spec.Affinity != nil && pod.Spec.Affinity.NodeAffinity != nil {
		c.selective, c.required = true, nodeaffinity.GetRequiredNodeAffinity(pod)
		c.named = namedNodes(pod)
	}
	return c
}

// sameDemands compares everything in two specs that decides where their Pods may and should run.
func sameDemands(a, b *corev1.PodSpec) bool {
	if len(a.Containers) != len(b.Containers) || len(a.InitContainers) != len(b.InitContainers) ||
		len(a.NodeSelector) != len(b.NodeSelector) || len(a.Tolerations) != len(b.Tolerations) ||
		(a.Affinity == nil) != (b.Affinity == nil) || (a.PreemptionPolicy == nil) != (b.PreemptionPolicy == nil) {
		return false
	}
	for i := range a.Containers {
		if !sameContainerDemands(&a.Containers[i], &b.Containers[i]) {
			return false
		}
	}
	for i := range a.InitContainers {
		if !sameContainerDemands(&a.InitContainers[i], &b.InitContainers[i]) ||
			!equality.Semantic.DeepEqual(a.InitContainers[i].RestartPolicy, b.InitContainers[i].RestartPolicy) {
			return false
		}
	}
	return (len(a.Overhead) == 0 && len(b.Overhead) == 0 || sameAmounts(a.Overhead, b.Overhead)) &&
		(a.Resources == nil && b.Resources == nil || equality.Semantic.DeepEqual(a.Resources, b.Resources)) &&
		(len(a.NodeSelector) == 0 || equality.Semantic.DeepEqual(a.NodeSelector, b.NodeSelector)) &&
		(len(a.Tolerations) == 0 || slices.EqualFunc(a.Tolerations, b.Tolerations, sameToleration)) &&
		(a.Affinity == nil || equality.Semantic.DeepEqual(a.Affinity, b.Affinity)) &&
		(a.PreemptionPolicy == nil || *a.PreemptionPolicy == *b.PreemptionPolicy)
}

func sameContainerDemands(a, b *corev1.Container) bool {
	return sameAmounts(a.Resources.Requests, b.Resources.Requests) && slices.Equal(a.Ports, b.Ports)
}

func sameAmounts(a, b corev1.ResourceList) bool {
	if len(a) != len(b) {
		return false
	}
	for name, q := range a {
		if other, ok := b[name]; !ok || q.Cmp(other) != 0 {
			return false
		}
	}
	return true
}

// sameToleration leaves out how long a taint is tolerated, which does not matter here.
func sameToleration(a, b corev1.Toleration) bool {
	return a.Key == b.Key && a.Operator == b.Operator && a.Value == b.Value && a.Effect == b.Effect
}

// place gives the class's best node to one more Pod; nil if there is none.
func (c *class) place(b *batch) *Node {
	if !c.filled {
		c.fill(b)
	}
	for len(c.heap) > 0 {
		top := c.heap[0]
		n := &b.nodes[top.node]
		if len(checkPorts(c, n).reasons) > 0 || len(checkResources(c, n).reasons) > 0 {
			c.heap[0] = c.heap[len(c.heap)-1] // another class has taken what was left
			c.heap = c.heap[:len(c.heap)-1]
			c.sink(0)
			continue
		}
		if now := n.load(); now > top.load {
			c.heap[0].load = now
			c.sink(0)
			continue
		}
		n.add(c.request, c.ports)
		c.heap[0].placed++
		c.heap[0].load = n.load()
		c.sink(0)
		return n
	}
	return nil
}

// fill filters the nodes.
func (c *class) fill(b *batch) {
	c.filled = true
	for i := range b.nodes {
		n := &b.nodes[i]
		if c.named != nil && !slices.Contains(c.named, n.Object.Name) || len(c.check(n).reasons) > 0 {
			continue
		}
		c.heap = append(c.heap, candidate{node: i, shy: c.shyness(n), load: n.load()})
	}
	for i := len(c.heap)/2 - 1; i >= 0; i-- {
		c.sink(i)
	}
}

// sink restores the heap below i.
func (c *class) sink(i int) {
	for {
		least := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(c.heap) && c.heap[child].compare(c.heap[least]) < 0 {
				least = child
			}
		}
		if least == i {
			return
		}
		c.heap[i], c.heap[least] = c.heap[least], c.heap[i]
		i = least
	}
}

// load is the share of the node's CPU and memory that is requested, in millionths of each, added up.
func (n *Node) load() int64 {
	share := func(used, has int64) int64 {
		if has <= 0 {
			return 1_000_000
		}
		return int64(float64(used) / float64(has) * 1_000_000)
	}
	return share(n.Used.WeightMilliCPU, n.Allocatable.MilliCPU) + share(n.Used.WeightMemoryBytes, n.Allocatable.MemoryBytes)
}

// shyness is how much less than another the Pods prefer the node: taints that they would rather avoid, less the
// weights of the preferred affinity that it matches.
func (c *class) shyness(n *Node) int64 {
	shy := int64(0)
	for i := range n.Object.Spec.Taints {
		t := &n.Object.Spec.Taints[i]
		if t.Effect == corev1.TaintEffectPreferNoSchedule &&
			!corev1helpers.TolerationsTolerateTaint(klog.Logger{}, c.pod.Spec.Tolerations, t, false) {
			shy += 100
		}
	}
	if a := c.pod.Spec.Affinity; a != nil && a.NodeAffinity != nil {
		for _, preferred := range a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
			selector := &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{preferred.Preference}}
			if ok, err := corev1helpers.MatchNodeSelectorTerms(n.Object, selector); ok && err == nil {
				shy -= int64(preferred.Weight)
			}
		}
	}
	return shy
}

// namedNodes is the names that a Pod's required node affinity names in every term, as a DaemonSet's Pods do; nil
// if some term does without.
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go, PreFilter.
func namedNodes(pod *corev1.Pod) []string {
	a := pod.Spec.Affinity
	if a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	var names []string
	for _, term := range a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		i := slices.IndexFunc(term.MatchFields, func(r corev1.NodeSelectorRequirement) bool {
			return r.Key == metav1.ObjectNameField && r.Operator == corev1.NodeSelectorOpIn
		})
		if i < 0 {
			return nil
		}
		names = append(names, term.MatchFields[i].Values...)
	}
	return names
}
