// Package faults decides how an injected fault begins and ends: it emits events for both, makes a
// node fail by an annotation and heals it again, and wakes the kubelets of the Pods that a fault
// affects. The kubelets and the API's middleware carry the fault out.
package faults

import (
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
)

// Kubelet is the controller that syncs Pods, by its name in package controller.
const Kubelet = "kubelet"

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
