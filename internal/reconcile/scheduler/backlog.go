package scheduler

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/btree"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/device"
)

// cohortsAtMost is the maximum number of cohorts that a batch tries.
const cohortsAtMost = 500

// backlog is the Pods that the scheduler has not yet bound. Those that it has not tried are in
// untried. Those that fit nowhere are in cohorts: Pods with the same requirements, so that if one
// does not fit, none of them does. A batch tries the oldest of a cohort, and the others only as
// long as they fit.
//
// It counts the changes in the cluster. A cohort is due if something that may help it has changed
// since it was last tried.
type backlog struct {
	members map[types.UID]*member
	untried *btree.BTreeG[*member]
	cohorts map[string]*cohort

	byRank    *btree.BTreeG[*cohort] // by priority, then by the age of the oldest member
	byTry     *btree.BTreeG[*cohort] // by when they were last tried, then as in byRank
	minglers  *btree.BTreeG[*cohort] // those of byTry that mingle
	selective int                    // how many cohorts have affinity or anti-affinity to Pods

	changes uint64 // counts the changes that may help a Pod
	freed   uint64 // changes at the last one that may help any Pod
	came    uint64 // changes when a Pod last came to a node, which may help those that mingle

	noted Tried
}

// member is a Pod of the backlog. It is replaced, never changed.
type member struct {
	uid             types.UID
	namespace, name string
	created         time.Time
	priority        int64
	told            string  // what its condition says; empty if that must be rewritten
	cohort          *cohort // nil if it is untried
}

// cohort is Pods that fit nowhere and have the same requirements.
type cohort struct {
	key       string
	mingles   bool // the arrival of other Pods may help them
	selective bool // they have affinity or anti-affinity to Pods
	tried     uint64
	oldest    *member
	members   *btree.BTreeG[*member]
	told      map[string]*btree.BTreeG[*member] // the members by the message in their condition
}

// Tried is what a batch has learned about cohorts. It is valid once the batch's plan has been
// applied.
type Tried struct {
	changes uint64
	// cohorts has, by key, those that do not fit; true if the conditions of all their Pods say so.
	cohorts map[string]bool
	// changed are the Pods that the plan changes, as they are in the backlog.
	changed map[types.UID]*member
}

func newBacklog() *backlog {
	options := btree.Options{NoLocks: true, Degree: 16}
	rank := func(a, b *cohort) int { return cmp.Or(compareMembers(a.oldest, b.oldest), cmp.Compare(a.key, b.key)) }
	byTry := func(a, b *cohort) bool { return cmp.Or(cmp.Compare(a.tried, b.tried), rank(a, b)) < 0 }
	return &backlog{
		members: map[types.UID]*member{}, untried: newMembers(), cohorts: map[string]*cohort{}, changes: 1, freed: 1,
		byRank: btree.NewBTreeGOptions(func(a, b *cohort) bool { return rank(a, b) < 0 }, options),
		byTry:  btree.NewBTreeGOptions(byTry, options), minglers: btree.NewBTreeGOptions(byTry, options),
	}
}

func newMembers() *btree.BTreeG[*member] {
	return btree.NewBTreeGOptions(func(a, b *member) bool { return compareMembers(a, b) < 0 }, btree.Options{NoLocks: true, Degree: 16})
}

// compareMembers orders Pods as they are tried.
func compareMembers(a, b *member) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), a.created.Compare(b.created), cmp.Compare(a.namespace, b.namespace),
		cmp.Compare(a.name, b.name), cmp.Compare(a.uid, b.uid))
}

// eligible reports whether this scheduler should bind the Pod. A Pod must wait until its
// ResourceClaims have been created.
func eligible(pod *corev1.Pod) bool {
	return pod.Spec.NodeName == "" && pod.DeletionTimestamp == nil && len(pod.Spec.SchedulingGates) == 0 && device.Made(pod) &&
		(pod.Spec.SchedulerName == Name || pod.Spec.SchedulerName == "")
}

// set adds a Pod or updates it.
func (l *backlog) set(pod *corev1.Pod) {
	l.remove(pod.UID)
	if !eligible(pod) {
		return
	}
	m := &member{uid: pod.UID, namespace: pod.Namespace, name: pod.Name, created: pod.CreationTimestamp.Time, priority: priority(pod)}
	l.members[pod.UID] = m
	refused := refusedBy(pod)
	if refused == nil && pod.Status.NominatedNodeName == "" {
		l.untried.Set(m)
		return
	}
	if refused != nil && refused.ObservedGeneration == pod.Generation {
		m.told = refused.Message
	}
	key := cohortKey(pod, pod.Status.NominatedNodeName)
	c := l.cohorts[key]
	if c == nil {
		a := pod.Spec.Affinity
		c = &cohort{key: key, mingles: minglesBy(&pod.Spec), members: newMembers(), told: map[string]*btree.BTreeG[*member]{}}
		c.selective = a != nil && (a.PodAffinity != nil || a.PodAntiAffinity != nil)
		l.cohorts[key] = c
		if c.selective {
			l.selective++
		}
	}
	m.cohort = c
	l.change(c, func() {
		c.members.Set(m)
		if c.told[m.told] == nil {
			c.told[m.told] = newMembers()
		}
		c.told[m.told].Set(m)
	})
}

func (l *backlog) remove(uid types.UID) {
	m := l.members[uid]
	if m == nil {
		return
	}
	delete(l.members, uid)
	c := m.cohort
	if c == nil {
		l.untried.Delete(m)
		return
	}
	l.change(c, func() {
		c.members.Delete(m)
		if told := c.told[m.told]; told.Len() > 1 {
			told.Delete(m)
		} else {
			delete(c.told, m.told)
		}
	})
	if c.members.Len() == 0 {
		delete(l.cohorts, c.key)
		if c.selective {
			l.selective--
		}
	}
}

// change changes a cohort and then updates its places in the trees. A cohort without members is in
// none.
func (l *backlog) change(c *cohort, how func()) {
	if c.oldest != nil {
		l.byRank.Delete(c)
		l.byTry.Delete(c)
		l.minglers.Delete(c)
	}
	how()
	oldest, some := c.members.Min()
	if !some {
		return
	}
	c.oldest = oldest
	l.byRank.Set(c)
	l.byTry.Set(c)
	if c.mingles {
		l.minglers.Set(c)
	}
}

// helpAll records a change that may help any Pod.
func (l *backlog) helpAll() {
	l.changes++
	l.freed = l.changes
}

// helpMinglers records a change that may help Pods that mingle.
func (l *backlog) helpMinglers() {
	l.changes++
	l.came = l.changes
}

// due reports whether something has changed that may help the cohort.
func (l *backlog) due(c *cohort) bool {
	return c.tried < l.freed || c.mingles && c.tried < l.came
}

// pick chooses the cohorts that a batch must try: those of the Pods, those that the arrival of
// other Pods may help and, if room has become free, those that are due. Half of the latter are the
// first by priority and age, and half those that have not been tried for longest. So more important
// ones go first, and none waits forever. more is true if others are due.
func (l *backlog) pick(pods []*corev1.Pod, freed bool) (picked []*cohort, more bool) {
	chosen := map[*cohort]bool{}
	add := func(c *cohort) {
		if !chosen[c] {
			chosen[c] = true
			picked = append(picked, c)
		}
	}
	for _, pod := range pods {
		if m := l.members[pod.UID]; m != nil && m.cohort != nil {
			add(m.cohort)
		}
	}
	// longest adds those of a tree that have not been tried since a change, at most atMost, and
	// reports whether there are more.
	longest := func(tree *btree.BTreeG[*cohort], change uint64, atMost int) (more bool) {
		tree.Scan(func(c *cohort) bool {
			if c.tried >= change || more {
				return false
			}
			if more = !chosen[c] && atMost == 0; !more && !chosen[c] {
				atMost--
				add(c)
			}
			return !more
		})
		return more
	}
	if freed {
		seen := 0
		l.byRank.Scan(func(c *cohort) bool {
			if l.due(c) {
				add(c)
			}
			seen++
			return seen < cohortsAtMost/2
		})
		more = longest(l.byTry, l.freed, cohortsAtMost/2)
	}
	return picked, longest(l.minglers, max(l.freed, l.came), cohortsAtMost/2) || more
}

// recall takes over what the last batch has learned, if the backlog has seen all its changes. If
// not, they have not been applied.
func (l *backlog) recall() {
	t := l.noted
	l.noted = Tried{}
	for uid, was := range t.changed {
		if was != nil && l.members[uid] == was {
			return
		}
	}
	for key, whole := range t.cohorts {
		c := l.cohorts[key]
		if c == nil {
			continue
		}
		l.change(c, func() {
			if c.tried = 0; whole {
				c.tried = t.changes
			}
		})
	}
}

// refusedBy is the Pod's condition that says that it fits nowhere; nil if it has none.
func refusedBy(pod *corev1.Pod) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse && c.Reason == corev1.PodReasonUnschedulable {
			return c
		}
	}
	return nil
}

// cohortKey is equal for Pods that either all fit somewhere or all fit nowhere. A Pod that has a
// nominated node, or uses claims, has a key of its own.
func cohortKey(pod *corev1.Pod, nominated string) string {
	spec := &pod.Spec
	if nominated != "" || hasClaims(spec) {
		return string(pod.UID) + " " + nominated
	}
	var b strings.Builder
	b.WriteString(strconv.FormatInt(priority(pod), 10))
	b.WriteByte(0)
	b.WriteString(newParty(pod).key())
	b.WriteByte(0)
	b.WriteString(Requests(pod).String())
	for _, p := range hostPorts(pod) {
		b.WriteString("\x00p" + p.IP + " " + string(p.Protocol) + " " + strconv.Itoa(int(p.Port)))
	}
	for i := range spec.Tolerations {
		t := &spec.Tolerations[i]
		b.WriteString("\x00t" + t.Key + " " + string(t.Operator) + " " + t.Value + " " + string(t.Effect))
	}
	if len(spec.NodeSelector) > 0 {
		b.WriteString("\x00s" + party{labels: spec.NodeSelector}.key())
	}
	if a := spec.Affinity; a != nil && a.NodeAffinity != nil {
		b.WriteString("\x00a" + a.NodeAffinity.String())
	}
	for i := range spec.TopologySpreadConstraints {
		b.WriteString("\x00c" + spec.TopologySpreadConstraints[i].String())
	}
	if spec.PreemptionPolicy != nil {
		b.WriteString("\x00e" + string(*spec.PreemptionPolicy))
	}
	return b.String()
}

// hasClaims reports whether a Pod uses PersistentVolumeClaims or ResourceClaims.
func hasClaims(spec *corev1.PodSpec) bool {
	return len(spec.ResourceClaims) > 0 || slices.ContainsFunc(spec.Volumes, func(v corev1.Volume) bool {
		return v.PersistentVolumeClaim != nil || v.Ephemeral != nil
	})
}
