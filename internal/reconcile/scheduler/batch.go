package scheduler

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/device"
	"github.com/rowlock/rowlock/internal/plan"
)

// batch is the nodes while a batch is being scheduled: the cluster's nodes, including the Pods
// placed so far.
type batch struct {
	cluster *Cluster
	related Related
	storage Storage
	devices Devices
	nodes   []Node // by name
	now     metav1.Time
	plan    plan.Plan
	limit   int

	message string          // the message for the last refused Pod
	refused []refusedCohort // their other Pods still have to get the message
	retold  int             // Pods of these cohorts that were visited
	cut     bool            // something is left for the next batch
	tried   Tried

	// log is the Pods placed so far. version grows with it and with any other change to what fits
	// where.
	log     []placement
	version int

	byOwner map[types.UID]*class
	recent  []*class // the newest last
	// selected is true if some Pod's affinity or anti-affinity may select Pods of this batch, so
	// that Pods with different labels are in different classes.
	selected bool

	nominees map[int][]*nominee // by node
	evicted  map[types.UID]bool // Pods that this batch deletes to make room
	examined int                // Pods that were considered for that
	// denominated are Pods that lose their nominated node in this batch. They are left to the next
	// batch.
	denominated map[types.UID]bool

	// Volumes that this batch has given to PersistentVolumeClaims, nodes that it has chosen for
	// their volumes, and volumes that they may get; nil until a Pod uses one.
	taken      map[string]bool
	chosen     map[types.UID]string
	candidates map[types.UID][]*corev1.PersistentVolume

	// Where in the plan the ResourceClaims are that this batch has changed, and the devices; nil
	// until a Pod uses one.
	claimed   map[types.UID]int
	inventory *device.Inventory

	kinFor *corev1.Pod // whose kin is kept; nil for none
	kin    labels.Selector

	domainsOf  map[string]*domains
	namespaces map[string]map[string]string
	services   map[string][]map[string]string
	budgets    map[string][]budget // by namespace

	feasible []int32 // the feasible nodes for the current Pod: places in its class's allows
}

// placement is a Pod that has been assigned to a node.
type placement struct {
	node int
	by   *class
	pod  *corev1.Pod
}

// Related finds what Pods are related to, as of the snapshot's revision.
type Related interface {
	// NamespaceLabels are a namespace's labels.
	NamespaceLabels(namespace string) map[string]string
	// ServiceSelectors are the selectors of the namespace's Services that have one.
	ServiceSelectors(namespace string) []map[string]string
	// OwnerSelector is the selector of the ReplicaSet, ReplicationController or StatefulSet that
	// controls the Pod; nil if no such controller exists.
	OwnerSelector(pod *corev1.Pod) *metav1.LabelSelector
	// Budgets are a namespace's PodDisruptionBudgets.
	Budgets(namespace string) []*policyv1.PodDisruptionBudget
	// Pod is a Pod by its uid; nil if it does not exist.
	Pod(uid types.UID) *corev1.Pod
}

func newBatch(s Snapshot) *batch {
	b := &batch{
		cluster: s.Cluster, related: s.Related, storage: s.Storage, devices: s.Devices, now: metav1.Time{Time: s.Now.Truncate(time.Second)}, limit: s.Limit,
		tried:    Tried{changes: s.Cluster.backlog.changes, cohorts: map[string]bool{}, changed: map[types.UID]*member{}},
		byOwner:  map[types.UID]*class{},
		nominees: map[int][]*nominee{}, evicted: map[types.UID]bool{}, denominated: map[types.UID]bool{}, domainsOf: map[string]*domains{},
		namespaces: map[string]map[string]string{}, services: map[string][]map[string]string{}, budgets: map[string][]budget{},
	}
	b.nodes = make([]Node, len(s.Cluster.sorted))
	for i, n := range s.Cluster.sorted {
		b.nodes[i] = *n
	}
	for node, nominees := range s.Cluster.nominated {
		n := s.Cluster.nodes[node]
		if n == nil || n.Object == nil {
			continue
		}
		for _, w := range nominees {
			b.nominees[n.place] = append(b.nominees[n.place], w)
		}
	}
	b.selected = len(s.Cluster.termed) > 0 || s.Cluster.backlog.selective > 0 || slices.ContainsFunc(s.Pods, func(p *corev1.Pod) bool {
		return p.Spec.Affinity != nil && (p.Spec.Affinity.PodAffinity != nil || p.Spec.Affinity.PodAntiAffinity != nil)
	})
	return b
}

// indexOf is the place of a node by its name, -1 if it does not exist.
func (b *batch) indexOf(name string) int {
	if n := b.cluster.nodes[name]; n != nil && n.Object != nil {
		return n.place
	}
	return -1
}

// domains groups the nodes by the value of one of their labels.
type domains struct {
	of []int32 // by node; -1 for a node without the label
	n  int     // how many values there are
}

// domains returns the domains of a label.
func (b *batch) domains(key string) *domains {
	if d := b.domainsOf[key]; d != nil {
		return d
	}
	d := &domains{of: make([]int32, len(b.nodes))}
	values := map[string]int32{}
	for i := range b.nodes {
		value, ok := b.nodes[i].Object.Labels[key]
		if !ok {
			d.of[i] = -1
			continue
		}
		at, known := values[value]
		if !known {
			at = int32(len(values))
			values[value] = at
		}
		d.of[i] = at
	}
	d.n = len(values)
	b.domainsOf[key] = d
	return d
}

// namespaceLabels are cached for the batch.
func (b *batch) namespaceLabels(namespace string) map[string]string {
	if b.related == nil {
		return nil
	}
	return remembered(b.namespaces, namespace, b.related.NamespaceLabels)
}

// serviceSelectors are cached for the batch.
func (b *batch) serviceSelectors(namespace string) []map[string]string {
	if b.related == nil {
		return nil
	}
	return remembered(b.services, namespace, b.related.ServiceSelectors)
}

// remembered is the result of look, which is called once for each key.
func remembered[T any](known map[string]T, key string, look func(string) T) T {
	if found, ok := known[key]; ok {
		return found
	}
	found := look(key)
	known[key] = found
	return found
}

// nominate reserves room on a node for a Pod, and releases any room reserved for it elsewhere.
func (b *batch) nominate(w *nominee, node int) {
	b.withdraw(w.uid)
	b.nominees[node] = append(b.nominees[node], w)
	b.version++
}

// withdraw releases the room that is reserved for a Pod.
func (b *batch) withdraw(uid types.UID) {
	for node, nominees := range b.nominees {
		i := slices.IndexFunc(nominees, func(w *nominee) bool { return w.uid == uid })
		if i < 0 {
			continue
		}
		if nominees = slices.Delete(slices.Clone(nominees), i, i+1); len(nominees) == 0 {
			delete(b.nominees, node)
		} else {
			b.nominees[node] = nominees
		}
		b.version++
		return
	}
}
