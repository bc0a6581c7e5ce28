// Package tainteviction deletes the Pods of a node that do not tolerate its taints with effect
// NoExecute, or tolerate them only for a time that has passed.
//
// When a Pod must go is decided once, when it is first seen on the tainted node, and stored with
// the Node. Longer or shorter tolerations do not change it; only the removal of taints or an
// unlimited toleration does.
//
// A node may have very many Pods. So they are judged in rounds, one batch in each sync, from a
// place that is stored too. If the taints have changed in the meantime, or a Pod has arrived or has
// new tolerations, another round follows. Pods that are due are found by uid.
package tainteviction

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

const (
	// podsAtOnce is how many Pods one transaction evicts or spares at most, podsAPiece how many are
	// judged in one batch of a round.
	podsAtOnce, podsAPiece = 500, 2000

	component             = "taint-eviction-controller"
	eviction              = "TaintManagerEviction"
	deletedByTaintManager = "DeletionByTaintManager"
)

// Snapshot is a Node, and the Pods that are bound to it if NeedsPods is true. They are not
// modified.
type Snapshot struct {
	Node *corev1.Node
	Pods []*corev1.Pod // all of them or, in batches, those in Wanted
	Now  time.Time

	// Memory is what the last plan stored; nil if nothing.
	Memory []byte

	// Revision is the revision of the Pods, if they come in batches; zero if they are complete.
	// News is the newest revision at which a Pod came to the node or got new tolerations.
	Revision, News object.Revision
	// Named are the Pods whose uids Wanted lists, without those that are gone.
	Named []*corev1.Pod
	// Last is true if no Pods come after those in Pods.
	Last bool

	atOnce, aPiece int // used instead of podsAtOnce and podsAPiece if not zero
}

// NeedsPods reports whether the Pods of the node matter.
func NeedsPods(n *corev1.Node, memory []byte) bool {
	return len(memory) > 0 || len(noExecute(n)) > 0
}

// Wanted is what a sync in batches needs to know of the node's Pods.
type Wanted struct {
	Named []types.UID
	After object.Key // the place after which Pods are needed, in list order, without a resource
	Pods  int        // how many
}

// Wants says which Pods a snapshot needs.
func Wants(s Snapshot) Wanted {
	m := decode(s.Memory)
	m.begin(s)
	atOnce, aPiece := s.limits()
	w := Wanted{Named: m.named(s.Now, atOnce)}
	if m.Walking && len(w.Named) < atOnce { // otherwise the plan has no room for more
		w.After, w.Pods = m.after(), aPiece
	}
	return w
}

func (s *Snapshot) limits() (atOnce, aPiece int) {
	atOnce, aPiece = podsAtOnce, podsAPiece
	if s.atOnce > 0 {
		atOnce, aPiece = s.atOnce, s.aPiece
	}
	return atOnce, aPiece
}

// Reconcile schedules evictions, cancels those that are no longer justified, and carries out those
// that are due: a Pod is first marked as the target of a disruption and then deleted, with its own
// grace period.
//
// Source: kubernetes v1.36 pkg/controller/tainteviction/taint_eviction.go, processPodOnNode, getMinTolerationTime and
// addConditionAndDeletePod.
// Differs: Pods that are already being deleted are left alone, and no event is emitted for a Pod
// that is gone before its time.
func Reconcile(s Snapshot) plan.Plan {
	if s.Node.DeletionTimestamp != nil {
		return plan.Plan{}
	}
	e := evictions{Snapshot: s, memory: decode(s.Memory), taints: noExecute(s.Node)}
	e.begin(s)
	e.room, _ = s.limits()
	e.judgeNamed()
	if e.Walking && e.walk() {
		e.end()
	}
	e.wake()
	if m := e.encode(); string(m) != string(s.Memory) {
		e.plan.Memory = append([]byte{}, m...)
	}
	return e.plan
}

// begin begins a round if there is a reason for one. A sync with all Pods is a round by itself.
func (m *memory) begin(s Snapshot) {
	taints := key(noExecute(s.Node))
	switch {
	case s.Revision == 0:
		m.round = round{Walking: true}
	case m.Walking:
		return
	case taints == "" && len(m.due)+len(m.evicting) == 0: // no Pod must be evicted or spared
		m.round = round{}
		return
	case m.Taints == taints && s.News <= m.Since && m.Since <= s.Revision:
		return
	default:
		m.round = round{Walking: true, Taints: taints, Since: s.Revision}
	}
	for uid, a := range m.due {
		m.due[uid] = appointment{at: a.at, unseen: true}
	}
}

// end ends a round: Pods that it has not seen are gone.
func (e *evictions) end() {
	for uid, a := range e.due {
		if a.unseen {
			delete(e.due, uid)
		}
	}
	if e.Revision == 0 {
		e.round, e.evicting = round{}, nil
		return
	}
	e.round = round{Taints: e.Taints, Since: e.Since}
	e.begin(e.Snapshot)
}

// evictions is one sync.
type evictions struct {
	Snapshot
	memory
	taints []corev1.Taint
	room   int // how many more Pods the plan has room for
	judged map[types.UID]bool
	left   bool // something is left for the next sync
	plan   plan.Plan
}

// judgeNamed continues with the Pods that are being evicted, and judges those that are due.
func (e *evictions) judgeNamed() {
	if e.Revision == 0 {
		return
	}
	there := make(map[types.UID]*corev1.Pod, len(e.Named))
	for _, pod := range e.Named {
		there[pod.UID] = pod
	}
	wanted := e.named(e.Now, e.room)
	e.evicting, e.judged = nil, make(map[types.UID]bool, len(wanted))
	for _, uid := range wanted {
		if pod := there[uid]; pod == nil || pod.DeletionTimestamp != nil || pod.Spec.NodeName != e.Node.Name {
			delete(e.due, uid)
		} else {
			e.judged[uid] = true
			e.judge(pod) // there is room for all that are wanted
		}
	}
}

// walk judges the Pods of a batch, and reports whether the round is over.
func (e *evictions) walk() bool {
	for _, pod := range e.Pods {
		if pod.DeletionTimestamp != nil {
			delete(e.due, pod.UID)
		} else if !e.judged[pod.UID] && !e.judge(pod) {
			e.left = true
			if e.Revision > 0 {
				return false
			}
		}
		if a, scheduled := e.due[pod.UID]; scheduled {
			e.due[pod.UID] = appointment{at: a.at}
		}
		e.Namespace, e.Name = pod.Namespace, pod.Name
	}
	return e.Last || e.Revision == 0
}

// judge schedules the Pod's eviction, cancels it, or carries it out when it is due. It reports
// whether the plan had room for that.
func (e *evictions) judge(pod *corev1.Pod) bool {
	was, scheduled := e.due[pod.UID]
	tolerated, forever, least := tolerates(pod.Spec.Tolerations, e.taints)
	due := was.at
	switch {
	case !tolerated:
		if scheduled && due.After(e.Now) {
			if e.room == 0 {
				return false
			}
			e.tell(pod, "Cancelling deletion of Pod ")
		}
		due = e.Now
	case forever:
		if scheduled {
			if !e.take() {
				return false
			}
			delete(e.due, pod.UID)
			e.tell(pod, "Cancelling deletion of Pod ")
		}
		return true
	case !scheduled:
		due = e.Now.Add(least)
	}
	if due.After(e.Now) {
		e.due[pod.UID] = appointment{at: due}
		return true
	}
	if !e.take() {
		return false
	}
	if !scheduled || !tolerated {
		delete(e.due, pod.UID)
		e.evicting = append(e.evicting, pod.UID)
	} // otherwise it stays until it is gone: a plan may be left out
	e.evict(pod)
	return true
}

// take reserves room in the plan for one Pod, and reports whether there was any.
func (e *evictions) take() bool {
	if e.room == 0 {
		return false
	}
	e.room--
	return true
}

// evict marks the Pod and, once that is done, deletes it.
func (e *evictions) evict(pod *corev1.Pod) {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue && c.Reason == deletedByTaintManager {
			e.plan.Deletes = append(e.plan.Deletes, plan.Delete{Object: pod})
			return
		}
	}
	e.plan.Updates = append(e.plan.Updates, plan.Update{Object: e.marked(pod), Subresource: "status"})
	e.tell(pod, "Marking for deletion Pod ")
	e.left = true
}

// marked is the Pod, marked as the target of a disruption.
func (e *evictions) marked(pod *corev1.Pod) *corev1.Pod {
	next := *pod
	now := metav1.Time{Time: e.Now.Truncate(time.Second)}
	next.Status.Conditions = make([]corev1.PodCondition, 0, len(pod.Status.Conditions)+1)
	for _, c := range pod.Status.Conditions {
		if c.Type != corev1.DisruptionTarget {
			next.Status.Conditions = append(next.Status.Conditions, c)
		} else if c.Status == corev1.ConditionTrue {
			now = c.LastTransitionTime
		}
	}
	next.Status.Conditions = append(next.Status.Conditions, corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, ObservedGeneration: pod.Generation, LastTransitionTime: now,
		Reason: deletedByTaintManager, Message: "Taint manager: deleting due to NoExecute taint",
	})
	return &next
}

func (e *evictions) tell(pod *corev1.Pod, what string) {
	e.plan.Events = append(e.plan.Events, plan.Event{Regarding: pod, Type: corev1.EventTypeNormal, Reason: eviction,
		Message: what + pod.Namespace + "/" + pod.Name, Component: component})
}

// wake schedules the next sync: at once if something is left, else when the next Pod is due.
func (e *evictions) wake() {
	if e.left || e.Walking {
		e.plan.WakeAt = e.Now
		return
	}
	for uid, a := range e.due {
		if e.Revision > 0 && !a.at.After(e.Now) && !e.judged[uid] { // there was no room for it
			e.plan.WakeAt = e.Now
			return
		}
		if a.at.After(e.Now) && (e.plan.WakeAt.IsZero() || a.at.Before(e.plan.WakeAt)) {
			e.plan.WakeAt = a.at
		}
	}
}

// key identifies a set of taints, regardless of when they were added.
func key(taints []corev1.Taint) string {
	parts := make([]string, len(taints))
	for i, t := range taints {
		parts[i] = t.Key + "=" + t.Value
	}
	return strings.Join(parts, ",")
}

// noExecute are the node's taints that evict.
func noExecute(n *corev1.Node) (taints []corev1.Taint) {
	for _, t := range n.Spec.Taints {
		if t.Effect == corev1.TaintEffectNoExecute {
			taints = append(taints, t)
		}
	}
	return taints
}

// tolerates reports whether all taints are tolerated, and for how long: for the shortest time of
// the tolerations that apply. For each taint this is the first toleration of the Pod that matches.
func tolerates(tolerations []corev1.Toleration, taints []corev1.Taint) (all, forever bool, least time.Duration) {
	forever = true
	for i := range taints {
		fits := false
		for j := range tolerations {
			t := &tolerations[j]
			if !t.ToleratesTaint(klog.Logger{}, &taints[i], false) {
				continue
			}
			if fits = true; t.TolerationSeconds != nil {
				for_ := time.Duration(min(max(*t.TolerationSeconds, 0), longest)) * time.Second
				if forever || for_ < least {
					least = for_
				}
				forever = false
			}
			break
		}
		if !fits {
			return false, false, 0
		}
	}
	return true, forever, least
}

// longest is a hundred years in seconds, so that it fits into a duration.
const longest = 100 * 365 * 24 * 60 * 60
