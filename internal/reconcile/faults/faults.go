// Package faults decides how an injected fault begins and ends: it emits events for both, makes a
// node fail by an annotation and heals it again, and wakes the kubelets of the Pods that a fault
// affects. The kubelets and the API's middleware carry the fault out.
package faults

import (
	"fmt"
	"maps"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
)

// Kubelet is the controller that syncs Pods, by its name in package controller.
const Kubelet = "kubelet"

// Snapshot is one fault and the objects it affects. It is not modified.
type Snapshot struct {
	Fault *fault.Fault
	Node  *corev1.Node // the node that the fault names; nil if none
	// Pods are those that the fault affects: for a fault with a selector, those in one batch of the
	// Pods of its namespace. The batch begins after the place that After returns. Last is the
	// batch's last Pod, and More is true if there may be others after it.
	Pods []*corev1.Pod
	Last object.Key
	More bool
	Now  time.Time
	// Memory is what the last plan stored; nil if nothing.
	Memory []byte
}

// Reconcile starts a new fault, and ends one that is deleted, has expired, or has nothing left to
// do. WakeAt is its end in cluster time. A large number of Pods is processed in rounds, one batch
// in each sync.
func Reconcile(s Snapshot) plan.Plan {
	r := decode(s.Memory)
	switch f := s.Fault; {
	case r.Stage == spent:
		return s.end(r, spent)
	case f.Ended(s.Now):
		return s.end(r, ended)
	case !f.Status.Injected:
		return s.begin()
	case r.Stage == telling:
		return s.tell()
	case s.done():
		return s.watch(r)
	}
	// It waits for a Pod in this batch. Those before it have been hit, but others may become
	// affected before this one is hit.
	p := plan.Plan{WakeAt: s.until()}
	if r.Stage == watching {
		r.Waited = true
		r.remember(&p, s.Memory)
	}
	return p
}

// until is when the fault ends in cluster time; zero means never.
func (s Snapshot) until() time.Time {
	if u := s.Fault.Spec.Until; u != nil && s.Fault.Spec.API == nil {
		return *u
	}
	return time.Time{}
}

// done reports whether a one-time fault has happened to all affected Pods.
func (s Snapshot) done() bool {
	if s.Fault.Spec.Pod == nil {
		return false
	}
	rule := fault.NewPodRule(s.Fault)
	for _, pod := range s.Pods {
		if rule.Once() && !rule.Done(pod) {
			return false
		}
	}
	return rule.Once()
}

// begin first makes a node fail, and emits the event in a second sync: the change of the Node may
// be left out of a plan.
func (s Snapshot) begin() plan.Plan {
	if n := s.Fault.Spec.Node; n != nil && s.Node != nil && s.Node.Annotations[outage.Annotation] != n.State {
		return s.annotate(n.State)
	}
	next := *s.Fault
	next.Status.Injected = true
	p := plan.Plan{Updates: []plan.Update{{Object: &next, Subresource: "status"}}, WakeAt: s.until()}
	p.Events = append(p.Events, s.event(corev1.EventTypeWarning, fault.ReasonInjected, "Fault "+s.Fault.Name+" begins: "+Summary(&s.Fault.Spec)))
	p.Wakes = s.wakes()
	if s.More {
		s.goOn(&p, round{Stage: telling})
	} else if s.done() {
		p.WakeAt = s.Now // to end it
	}
	return p
}

// tell continues to wake the kubelets after a fault has begun.
func (s Snapshot) tell() plan.Plan {
	p := plan.Plan{WakeAt: s.until(), Wakes: s.wakes()}
	switch {
	case s.More:
		s.goOn(&p, round{Stage: telling})
	case fault.NewPodRule(s.Fault).Once():
		p.Memory, p.WakeAt = []byte{}, s.Now // to watch it
	default:
		p.Memory = []byte{}
	}
	return p
}

// watch continues after a batch in which nothing is left to do. A fault has been carried out when a
// round has waited for no Pod.
func (s Snapshot) watch(r round) (p plan.Plan) {
	switch {
	case s.More:
		s.goOn(&p, round{Stage: watching, Waited: r.Waited})
		return p
	case r.Waited:
		return plan.Plan{Memory: []byte{}, WakeAt: s.Now} // once more, from the beginning
	}
	return s.end(r, spent)
}

// annotate sets the annotation that makes the Node fail, removes it for "", and schedules another
// sync.
func (s Snapshot) annotate(state string) plan.Plan {
	node := *s.Node
	node.Annotations = maps.Clone(node.Annotations)
	if node.Annotations == nil {
		node.Annotations = map[string]string{}
	}
	node.Annotations[outage.Annotation] = state
	if state == "" {
		delete(node.Annotations, outage.Annotation)
	}
	return plan.Plan{Updates: []plan.Update{{Object: &node}}, WakeAt: s.Now}
}

// end first heals a node, and removes the fault in a second sync. If there are many Pods, it wakes
// their kubelets before that: a fault that has ended or has been carried out no longer affects any
// of them.
func (s Snapshot) end(r round, stage string) plan.Plan {
	if n := s.Fault.Spec.Node; n != nil && s.Node != nil && s.Node.Annotations[outage.Annotation] == n.State {
		return s.annotate("")
	}
	var p plan.Plan
	if r.After != "" && r.Stage != stage { // the Pods are those of another round
		p.WakeAt = s.Now
		round{Stage: stage}.remember(&p, s.Memory)
		return p
	}
	if p.Wakes = s.wakes(); s.More {
		s.goOn(&p, round{Stage: stage})
		return p
	}
	p.Deletes = []plan.Delete{{Object: s.Fault, Without: fault.Finalizer}}
	why := ""
	if stage == spent {
		why = " as it has been carried out"
	}
	e := s.event(corev1.EventTypeNormal, fault.ReasonEnded, "Fault "+s.Fault.Name+" has ended"+why)
	if s.Fault.Status.Injected {
		e.OfDelete = 1
		p.Events = append(p.Events, e)
	}
	return p
}

// wakes wakes the kubelets of the affected Pods that have a node.
func (s Snapshot) wakes() (wakes []plan.Wake) {
	for _, pod := range s.Pods {
		if pod.Spec.NodeName != "" {
			wakes = append(wakes, plan.Wake{Controller: Kubelet, Object: pod})
		}
	}
	return wakes
}

// event is about the only object that the fault affects or, if none exists or more than one, about
// the fault itself.
func (s Snapshot) event(eventType, reason, message string) plan.Event {
	about := object.Object(s.Fault)
	switch spec := &s.Fault.Spec; {
	case spec.Node != nil && s.Node != nil:
		about = s.Node
	case spec.Pod != nil && spec.Pod.Name != "" && len(s.Pods) == 1:
		about = s.Pods[0]
	}
	return plan.Event{Regarding: about, Type: eventType, Reason: reason, Message: message, Component: fault.Component}
}

// Summary describes in a few words what a fault does.
func Summary(s *fault.Spec) string {
	switch {
	case s.Pod != nil:
		return podSummary(s.Pod)
	case s.Node != nil:
		return "node " + s.Node.Name + " is " + s.Node.State
	case s.Image != nil:
		return "image " + s.Image.Image + " cannot be pulled"
	}
	return apiSummary(s.API)
}

func podSummary(p *fault.Pod) string {
	who := "pod " + p.Namespace + "/" + p.Name
	if p.Selector != "" {
		who = "pods " + p.Selector + " in " + p.Namespace
	}
	if p.Container != "" {
		who = "container " + p.Container + " of " + who
	}
	switch p.Action {
	case fault.Exit:
		return who + ": exit " + ending(p)
	case fault.CrashLoop:
		return who + ": crash loop, exit " + ending(p)
	case fault.OOM:
		return who + ": out of memory"
	case fault.Unready:
		return who + ": not ready"
	case fault.Stuck:
		return who + ": stuck when deleted"
	}
	return who + ": " + p.Action
}

func ending(p *fault.Pod) string {
	switch {
	case p.Signal != "":
		return "by signal " + p.Signal
	case p.ExitCode != nil:
		return fmt.Sprint(*p.ExitCode)
	}
	return "1"
}

func apiSummary(a *fault.API) string {
	var words []string
	for _, list := range [][]string{a.Verbs, a.Resources} {
		if len(list) > 0 {
			words = append(words, strings.Join(list, ","))
		}
	}
	if len(words) == 0 {
		words = []string{"requests"}
	}
	for _, list := range []struct {
		word    string
		entries []string
	}{{"in", a.Namespaces}, {"of", a.Names}, {"from", a.UserAgents}, {"by", a.Users}} {
		if len(list.entries) > 0 {
			words = append(words, list.word+" "+strings.Join(list.entries, ","))
		}
	}
	return strings.Join(words, " ") + ": " + strings.Join(effects(a), ", ")
}

// effects are what happens to requests, in order.
func effects(a *fault.API) (all []string) {
	if a.Delay != "" {
		all = append(all, "delay "+a.Delay)
	}
	switch {
	case a.Conflict:
		all = append(all, "conflict")
	case a.Status != 0:
		all = append(all, fmt.Sprint(a.Status))
	case a.Drop != "":
		all = append(all, "drop "+a.Drop)
	case a.Watch != "":
		all = append(all, a.Watch+" watch")
	}
	if a.After != "" {
		all = append(all, "after "+a.After)
	}
	if a.Probability != nil {
		all = append(all, fmt.Sprintf("with probability %v of seed %d", *a.Probability, a.Seed))
	}
	return all
}
