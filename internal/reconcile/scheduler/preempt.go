package scheduler

import (
	"cmp"
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// room is a node that a Pod could have if the victims were deleted.
type room struct {
	node    string
	place   int
	victims []*placed // by importance
	// violations is how many of the victims their PodDisruptionBudgets protect.
	violations int
}

const (
	notHelpful = "Preemption is not helpful for scheduling"
	noVictims  = "No preemption victims found for incoming pod"
)

// mayNotPreempt says why the Pod may not preempt others; empty if it may. A Pod that has already
// preempted others waits for them.
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, PodEligibleToPreemptOthers.
func (c *class) mayNotPreempt(b *batch, pod *corev1.Pod, refusals []refusal) string {
	if p := pod.Spec.PreemptionPolicy; p != nil && *p == corev1.PreemptNever {
		return "not eligible due to preemptionPolicy=Never."
	}
	i := -1
	if pod.Status.NominatedNodeName != "" {
		i = b.indexOf(pod.Status.NominatedNodeName)
	}
	if i < 0 || refusals[i].final {
		return ""
	}
	for _, p := range b.nodes[i].pods {
		if int64(p.priority) < c.priority && p.preempted {
			return "not eligible due to a terminating pod on the nominated node."
		}
	}
	return ""
}

// findRoom finds the best node for preemption. If none exists, it counts the reasons, node by node.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/preemption/preemption.go, findCandidates and DryRunPreemption;
// plugins/defaultpreemption/default_preemption.go, calculateNumCandidates.
// Differs: with more than a hundred candidate nodes, not all are tried: here the first by name are
// tried, while upstream starts at a random one.
func (c *class) findRoom(b *batch, pod *corev1.Pod, refusals []refusal) (*room, map[string]int) {
	counts := map[string]int{}
	potential := 0
	for i := range refusals {
		if refusals[i].final {
			counts[notHelpful]++
		} else {
			potential++
		}
	}
	if lowest := b.cluster.lowestPriority(); lowest >= c.priority || b.related == nil {
		if potential > 0 {
			counts[noVictims] += potential
		}
		return nil, counts
	}
	var found *room
	candidates := 0
	for i := range refusals {
		if refusals[i].final {
			continue
		}
		r, why := c.roomOn(b, pod, i)
		if r == nil {
			for _, reason := range why {
				counts[reason]++
			}
			continue
		}
		if found == nil || r.compare(found, b.now.Time) < 0 {
			found = r
		}
		if candidates++; candidates >= max(potential/10, 100) {
			break
		}
	}
	return found, counts
}

// lowestPriority is the lowest priority of the Pods on nodes.
func (c *Cluster) lowestPriority() int64 {
	lowest := int64(math.MaxInt64)
	for p := range c.priorities {
		lowest = min(lowest, int64(p))
	}
	return lowest
}

// roomOn determines which Pods of lower priority must leave a node for the Pod. It removes all of
// them and puts them back one by one if the Pod still fits: first those whose budgets do not allow
// a disruption, and within each of the two sets the most important first.
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, SelectVictimsOnNode.
func (c *class) roomOn(b *batch, pod *corev1.Pod, i int) (*room, []string) {
	byImportance := func(x, y *placed) int { return x.compare(y, b.now.Time) }
	lower := c.lessImportant(&b.nodes[i])
	b.examined += len(lower)
	if len(lower) == 0 {
		return nil, []string{noVictims}
	}
	slices.SortFunc(lower, byImportance)
	trial := b.nodes[i]
	count := func(p *placed, times int64) {
		if c.topology != nil {
			c.topology.apply(c.effects(b, &p.group.party), i, times)
		}
	}
	var gone []*placed
	for _, p := range lower {
		trial.remove(p.request, p.ports)
		count(p, -1)
		gone = append(gone, p)
	}
	defer func() {
		for _, p := range gone {
			count(p, 1)
		}
	}()
	fits := func() []string {
		if r := c.check(&trial); len(r.reasons) > 0 {
			return r.reasons
		}
		return c.besideNominees(b, pod, i, &trial).reasons
	}
	if why := fits(); len(why) > 0 {
		return nil, why
	}
	gone = gone[:0]
	putBack := func(pods []*placed) {
		for _, p := range pods {
			trial.add(p.request, p.ports)
			count(p, 1)
			if len(fits()) > 0 {
				trial.remove(p.request, p.ports)
				count(p, -1)
				gone = append(gone, p)
			}
		}
	}
	violating, others := b.violating(lower)
	putBack(violating)
	violations := len(gone)
	putBack(others)
	if len(gone) == 0 {
		return nil, []string{noVictims}
	}
	victims := slices.Clone(gone)
	if violations > 0 {
		slices.SortFunc(victims, byImportance)
	}
	return &room{node: b.nodes[i].Object.Name, place: i, victims: victims, violations: violations}, nil
}

// lessImportant are the Pods of a node with a lower priority.
func (c *class) lessImportant(n *Node) (lower []*placed) {
	for _, p := range n.pods {
		if int64(p.priority) < c.priority {
			lower = append(lower, p)
		}
	}
	return lower
}

// compare orders Pods by importance: by priority, then by how long they have been running.
// Source: kubernetes v1.36 pkg/scheduler/util/utils.go, MoreImportantPod.
func (p *placed) compare(o *placed, now time.Time) int {
	return cmp.Or(cmp.Compare(o.priority, p.priority), p.since(now).Compare(o.since(now)), cmp.Compare(p.uid, o.uid))
}

// since is when the Pod was started; now if it has not been.
func (p *placed) since(now time.Time) time.Time {
	if p.start.IsZero() {
		return now
	}
	return p.start
}

// compare orders rooms by cost: the number of victims that budgets protect, the highest priority of
// a victim, the sum of the priorities, the number of victims, and how recently the most important
// one started.
// Source: kubernetes v1.36 pkg/scheduler/framework/preemption/preemption.go, pickOneNodeForPreemption.
// Differs: ties go to the first node by name.
func (r *room) compare(o *room, now time.Time) int {
	sum := func(r *room) (n int64) {
		for _, p := range r.victims {
			n += int64(p.priority) + math.MaxInt32 + 1
		}
		return n
	}
	return cmp.Or(cmp.Compare(r.violations, o.violations), cmp.Compare(r.victims[0].priority, o.victims[0].priority), cmp.Compare(sum(r), sum(o)),
		cmp.Compare(len(r.victims), len(o.victims)), o.victims[0].since(now).Compare(r.victims[0].since(now)))
}

// makeRoom deletes the victims, reserves their room for the Pod, and withdraws the nomination of
// Pods of lower priority for the node.
// Source: kubernetes v1.36 pkg/scheduler/framework/preemption/executor.go, PreemptPod and prepareCandidate.
// Differs: a victim's condition and its deletion are a single change.
func (b *batch) makeRoom(c *class, pod *corev1.Pod, r *room) {
	for _, w := range slices.Clone(b.nominees[r.place]) {
		if int64(w.priority) < c.priority {
			b.withdraw(w.uid)
			b.denominate(w)
		}
	}
	mine := &nominee{placed: *newPlaced(pod), node: r.node, party: c.party}
	mine.party.namespace, mine.party.labels = pod.Namespace, pod.Labels
	b.nominate(mine, r.place)
	for _, p := range r.victims {
		victim := b.related.Pod(p.uid)
		if victim == nil || victim.DeletionTimestamp != nil || b.evicted[p.uid] {
			continue
		}
		b.evicted[p.uid] = true
		next := *victim
		next.Status.Conditions = disrupted(victim, Name+": preempting to accommodate a higher priority pod", b)
		b.plan.Deletes = append(b.plan.Deletes, plan.Delete{Object: victim, As: &next, NeedsUpdate: pod.UID})
		b.plan.Events = append(b.plan.Events, plan.Event{
			Regarding: victim, Type: corev1.EventTypeNormal, Reason: "Preempted", Component: Name, OfDelete: len(b.plan.Deletes),
			Message: "Preempted by pod " + string(pod.UID) + " on node " + r.node,
		})
	}
}

// denominate withdraws a Pod's nominated node. The next batch tries the Pod again.
func (b *batch) denominate(w *nominee) {
	pod := b.related.Pod(w.uid)
	if pod == nil || pod.Status.NominatedNodeName == "" {
		return
	}
	b.denominated[w.uid] = true
	next := *pod
	next.Status.NominatedNodeName = ""
	b.plan.Updates = append(b.plan.Updates, plan.Update{Object: &next, Subresource: "status"})
	b.plan.WakeAt = b.now.Time
}

// disrupted is the victim's conditions plus the one that says why it is deleted.
func disrupted(victim *corev1.Pod, message string, b *batch) []corev1.PodCondition {
	c := corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: corev1.PodReasonPreemptionByScheduler, Message: message,
		LastTransitionTime: b.now, ObservedGeneration: victim.Generation,
	}
	next := slices.Clone(victim.Status.Conditions)
	for i := range next {
		if next[i].Type == c.Type {
			if next[i].Status == c.Status {
				c.LastTransitionTime = next[i].LastTransitionTime
			}
			next[i] = c
			return next
		}
	}
	return append(next, c)
}
