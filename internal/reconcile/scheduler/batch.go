package scheduler

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
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
	refused []refusedCohort // whose other Pods still have to get the message
	retold  int             // how many of those other Pods were visited
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

	kinFor *corev1.Pod // the Pod that kin belongs to; nil before the first
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

// refusedCohort is a cohort with a Pod that does not fit, and the message for all its Pods.
type refusedCohort struct {
	*cohort
	told    *corev1.Pod // already has the message
	message string
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

// examinedAtMost is how many Pods a batch may consider for deletion before it is full: the mirror
// is held during the batch.
const examinedAtMost = 20_000

// full reports whether the batch should end. By then it has changed something or learned something
// about a cohort, so that the next batch makes progress.
func (b *batch) full() bool {
	return len(b.plan.Updates) >= b.limit || len(b.plan.Deletes) > b.limit ||
		b.examined > examinedAtMost && len(b.plan.Updates)+len(b.refused)+len(b.tried.cohorts) > 0
}
