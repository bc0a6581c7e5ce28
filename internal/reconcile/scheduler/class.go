package scheduler

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// comparedClasses is how many classes a Pod without an owner, or the first Pod of an owner, is
// compared with before it gets its own class.
const comparedClasses = 8

// class is Pods with the same requirements, and how the nodes score for them.
type class struct {
	pod      *corev1.Pod // the first of them, which represents all
	party    party
	terms    *terms
	kin      labels.Selector // the Pods that these are spread among by default; nil or empty if none
	request  Resources
	ports    []HostPort
	priority int64

	selective bool // required must be checked
	required  nodeaffinity.RequiredNodeAffinity
	named     []string // the only nodes that the Pods may run on; nil for any
	volumes   *volumes // nil for Pods without PersistentVolumeClaims; a Pod with some is a class of its own
	devices   *devices // nil for Pods without ResourceClaims; a Pod with some is a class of its own
	conflict  bool     // the Pods name nodes, but no term has a node that all its fields name

	filled    bool
	seen      int        // how much of the batch's log is counted in
	allows    []int32    // the nodes that the static filters let pass
	standings []standing // by the node's place in allows
	preferred bool       // some nodes have taints that the Pods prefer to avoid, or labels that they prefer
	topology  *topology
	turn      int32 // counts the Pods that were placed

	failedAt int // 1 + the version of the batch at which failure was determined
	failure  failure
}

// standing is how a node scores for a class.
type standing struct {
	fits   bool
	own    int64 // score of its free resources
	taints int64 // how many of its taints the Pods prefer to avoid
	wishes int64 // sum of the weights of the preferred affinity that it matches
	placed int64 // Pods of the class placed on it in this batch
	load   int64
	// Raw scores for the Pod that is being placed. uneven counts against the node, for spreading;
	// mingled counts for it, for affinity to other Pods.
	uneven, mingled int64
}

// classOf finds or makes the Pod's class.
func (b *batch) classOf(pod *corev1.Pod) *class {
	if v, d := b.volumesOf(pod), b.devicesOf(pod); v != nil || d != nil {
		c := b.newClass(pod)
		c.volumes, c.devices = v, d
		return c
	}
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner == nil {
		return b.recentClassOf(pod)
	}
	c := b.byOwner[owner.UID]
	switch {
	case c == nil:
		c = b.recentClassOf(pod)
	case b.belongs(c, pod):
		return c
	default: // Pods of one owner have different requirements, as a DaemonSet's do
		c = b.newClass(pod)
	}
	b.byOwner[owner.UID] = c
	return c
}

// recentClassOf finds the Pod's class among the newest, or makes it.
func (b *batch) recentClassOf(pod *corev1.Pod) *class {
	for _, c := range slices.Backward(b.recent[max(0, len(b.recent)-comparedClasses):]) {
		if b.belongs(c, pod) {
			return c
		}
	}
	c := b.newClass(pod)
	b.recent = append(b.recent, c)
	return c
}

// belongs reports whether the Pod is of the class: it has the same requirements and, where it
// matters, other Pods' selectors cannot distinguish it.
func (b *batch) belongs(c *class, pod *corev1.Pod) bool {
	if priority(pod) != c.priority || !sameDemands(&c.pod.Spec, &pod.Spec) {
		return false
	}
	alike := pod.Namespace == c.pod.Namespace && maps.Equal(pod.Labels, c.pod.Labels)
	if !alike && (b.selected || c.terms != nil || len(pod.Spec.TopologySpreadConstraints) > 0) {
		return false
	}
	if b.related == nil || alike && sameController(c.pod, pod) {
		return true
	}
	kin := b.kinOf(pod)
	if none := kin == nil || kin.Empty(); none || c.kin == nil || c.kin.Empty() {
		return none == (c.kin == nil || c.kin.Empty())
	}
	return pod.Namespace == c.pod.Namespace && kin.String() == c.kin.String()
}

func sameController(a, b *corev1.Pod) bool {
	x, y := metav1.GetControllerOfNoCopy(a), metav1.GetControllerOfNoCopy(b)
	return x == nil && y == nil || x != nil && y != nil && x.UID == y.UID
}

// newClass makes a class. Its nodes are not yet filled in.
func (b *batch) newClass(pod *corev1.Pod) *class {
	c := &class{pod: pod, party: newParty(pod), request: Requests(pod), ports: hostPorts(pod), priority: priority(pod), kin: b.kinOf(pod)}
	c.terms = c.party.terms
	c.demandsOfNodes(pod)
	return c
}

// demandsOfNodes reads the Pod's requirements on its node's labels and name.
func (c *class) demandsOfNodes(pod *corev1.Pod) {
	if pod.Spec.NodeSelector != nil || pod.Spec.Affinity != nil && pod.Spec.Affinity.NodeAffinity != nil {
		c.selective, c.required = true, nodeaffinity.GetRequiredNodeAffinity(pod)
		c.named, c.conflict = namedNodes(pod)
	}
}

// namedNodes is the node names that every term of a Pod's required node affinity names, as with a
// DaemonSet's Pods, sorted; nil if a term names none. conflict is true if the terms name nodes, but
// no term has a node that all its fields name.
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go, PreFilter.
func namedNodes(pod *corev1.Pod) (names []string, conflict bool) {
	a := pod.Spec.Affinity
	if a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil, false
	}
	terms := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	all := sets.Set[string]{}
	for i := range terms {
		var of sets.Set[string]
		for _, r := range terms[i].MatchFields {
			if r.Key != metav1.ObjectNameField || r.Operator != corev1.NodeSelectorOpIn {
				continue
			}
			if values := sets.New(r.Values...); of == nil {
				of = values
			} else {
				of = of.Intersection(values)
			}
		}
		if of == nil {
			return nil, false
		}
		all = all.Union(of)
	}
	if len(terms) == 0 {
		return nil, false
	}
	return sets.List(all), len(all) == 0
}

// kinOf is the selector of the Pods among which a Pod without its own constraints is spread: those
// of its Services and its workload.
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/helper/spread.go, DefaultSelector.
func (b *batch) kinOf(pod *corev1.Pod) labels.Selector {
	if b.related == nil || len(pod.Spec.TopologySpreadConstraints) > 0 {
		return nil
	}
	if b.kinFor != pod { // it is asked about one Pod for each class that this may belong to
		b.kinFor, b.kin = pod, b.findKin(pod)
	}
	return b.kin
}

// findKin goes through all Services of the namespace.
func (b *batch) findKin(pod *corev1.Pod) labels.Selector {
	set := labels.Set{}
	for _, s := range b.serviceSelectors(pod.Namespace) {
		if labels.ValidatedSetSelector(s).Matches(labels.Set(pod.Labels)) {
			maps.Copy(set, s)
		}
	}
	kin := set.AsSelectorPreValidated()
	if owner := b.related.OwnerSelector(pod); owner != nil {
		if requirements, ok := selectorOf(owner).Requirements(); ok {
			kin = kin.Add(requirements...)
		}
	}
	return kin
}

// barred reports whether no node can fit, regardless of the Pods on them.
func (c *class) barred() bool { return c.conflict || c.problem() != "" }

// problem is why the Pod's claims rule out all nodes; empty if they do not.
func (c *class) problem() string {
	if c.volumes != nil && c.volumes.problem != "" {
		return c.volumes.problem
	}
	if c.devices != nil {
		return c.devices.problem
	}
	return ""
}

// sameDemands compares everything in two specs that decides where their Pods may or should run.
func sameDemands(a, b *corev1.PodSpec) bool {
	if len(a.Containers) != len(b.Containers) || len(a.InitContainers) != len(b.InitContainers) ||
		len(a.NodeSelector) != len(b.NodeSelector) || len(a.Tolerations) != len(b.Tolerations) ||
		len(a.TopologySpreadConstraints) != len(b.TopologySpreadConstraints) ||
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
		(len(a.TopologySpreadConstraints) == 0 || equality.Semantic.DeepEqual(a.TopologySpreadConstraints, b.TopologySpreadConstraints)) &&
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

// sameToleration ignores tolerationSeconds, which does not matter here.
func sameToleration(a, b corev1.Toleration) bool {
	return a.Key == b.Key && a.Operator == b.Operator && a.Value == b.Value && a.Effect == b.Effect
}
