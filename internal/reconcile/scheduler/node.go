package scheduler

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Node is a node and the sums over the Pods that are bound to it and have not ended. A Cluster
// maintains them; a copy of the struct is a snapshot of the sums that later changes do not affect.
type Node struct {
	Object      *corev1.Node // nil for a node that does not exist
	Allocatable Resources
	MaxPods     int64

	Used  Resources
	Pods  int64
	Asked Resources // what of Used the node has not yet allocated to the Pods that request it
	Ports []HostPort

	// Fresh has the sums of the Pods that the kubelet has neither admitted nor rejected yet.
	Fresh struct {
		Used  Resources
		Pods  int64
		Ports []HostPort
	}

	name  string
	place int // among the nodes that exist, by name
	pods  map[types.UID]*placed
}

// placed is a Pod on a node.
type placed struct {
	uid       types.UID
	priority  int32
	start     time.Time // zero until the kubelet has admitted it
	preempted bool      // it is being deleted to make room for another
	request   Resources
	asked     Resources // what of request its node has not yet allocated
	fresh     bool      // the kubelet has neither admitted nor rejected it yet
	ports     []HostPort
	group     *group
}

// group is Pods on nodes that no selector can distinguish.
type group struct {
	party
	key   string
	nodes map[*Node]int64 // how many Pods are on each
}

// nominee is a Pod without a node that Reconcile must take into account even if it is not among the
// Pods to schedule.
type nominee struct {
	placed
	node  string // the nominated node
	party party
}

// NewNode is a node without Pods.
func NewNode(n *corev1.Node) Node {
	return Node{Object: n, name: n.Name, Allocatable: amount(n.Status.Allocatable), MaxPods: n.Status.Allocatable.Pods().Value()}
}

// Update replaces the node's object and keeps the sums.
func (n *Node) Update(object *corev1.Node) {
	fresh := NewNode(object)
	n.Object, n.Allocatable, n.MaxPods = object, fresh.Allocatable, fresh.MaxPods
}

// put counts in a Pod and stores it.
func (n *Node) put(p *placed) {
	if n.pods == nil {
		n.pods = map[types.UID]*placed{}
	}
	n.pods[p.uid] = p
	n.Asked = n.Asked.plus(p.asked, 1)
	n.add(p.request, p.ports)
	if p.fresh {
		n.Fresh.Used = n.Fresh.Used.plus(p.request, 1)
		n.Fresh.Pods++
		n.Fresh.Ports = append(slices.Clip(n.Fresh.Ports), p.ports...)
	}
}

// start records when the kubelet admitted a Pod.
func (n *Node) start(p *placed, at time.Time) {
	n.taken(p)
	p.start = at
}

// taken removes a Pod from the sums of those that the kubelet has not admitted yet.
func (n *Node) taken(p *placed) {
	if !p.fresh {
		return
	}
	p.fresh = false
	n.Fresh.Used = n.Fresh.Used.plus(p.request, -1)
	n.Fresh.Pods--
	n.Fresh.Ports = without(n.Fresh.Ports, p.ports)
}

// take counts out a Pod that was put.
func (n *Node) take(uid types.UID) *placed {
	p := n.pods[uid]
	n.taken(p)
	delete(n.pods, uid)
	n.Asked = n.Asked.plus(p.asked, -1)
	n.remove(p.request, p.ports)
	return p
}

func (n *Node) add(r Resources, ports []HostPort) {
	n.Used = n.Used.plus(r, 1)
	n.Pods++
	if len(ports) > 0 {
		n.Ports = append(slices.Clip(n.Ports), ports...)
	}
}

func (n *Node) remove(r Resources, ports []HostPort) {
	n.Used = n.Used.plus(r, -1)
	n.Pods--
	n.Ports = without(n.Ports, ports)
}

func newPlaced(pod *corev1.Pod) *placed {
	p := &placed{uid: pod.UID, priority: int32(priority(pod)), request: Requests(pod), ports: hostPorts(pod)}
	if pod.Status.StartTime != nil {
		p.start = pod.Status.StartTime.Time
	}
	p.fresh = podstate.Unadmitted(pod)
	if podstate.AwaitsResize(pod) {
		p.asked = p.request.plus(Requests(onlySpec(podstate.AsGiven(pod))), -1)
	}
	if pod.DeletionTimestamp != nil {
		p.preempted = slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue && c.Reason == corev1.PodReasonPreemptionByScheduler
		})
	}
	return p
}

// priority is the Pod's priority; 0 if it has none.
func priority(pod *corev1.Pod) int64 {
	if pod.Spec.Priority == nil {
		return 0
	}
	return int64(*pod.Spec.Priority)
}
