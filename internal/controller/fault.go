package controller

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/faults"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// lookAtFault finds what a fault is about: its node, or the Pods that it concerns.
func lookAtFault(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	s := faults.Snapshot{Fault: o.Object().(*fault.Fault), Now: now}
	switch spec := &s.Fault.Spec; {
	case spec.Node != nil:
		if node := v.Get(object.Key{Resource: "nodes", Name: spec.Node.Name}); node != nil {
			s.Node = node.Object().(*corev1.Node)
		}
	case spec.Pod != nil && spec.Pod.Name != "":
		if o := v.Get(object.Key{Resource: "pods", Namespace: spec.Pod.Namespace, Name: spec.Pod.Name}); o != nil {
			if pod := o.Object().(*corev1.Pod); fault.NewPodRule(s.Fault).Concerns(pod) {
				s.Pods = append(s.Pods, pod)
			}
		}
	case spec.Pod != nil:
		rule := fault.NewPodRule(s.Fault)
		v.Each("pods", spec.Pod.Namespace, func(o *object.Version) bool {
			if pod := o.Object().(*corev1.Pod); rule.Concerns(pod) {
				s.Pods = append(s.Pods, pod)
			}
			return true
		})
	}
	return faults.Reconcile(s)
}

// tellFaults has the controller of faults that happen once look whether they have, and counts what has happened.
func (w World) tellFaults(p plan.Plan, of fault.OfPod) plan.Plan {
	if len(of.Pod) == 0 || len(p.Updates) == 0 {
		return p
	}
	for _, r := range of.Pod {
		if r.Once() {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: wakeup.Fault, Object: r.Fault})
		}
	}
	for _, e := range p.Events {
		if e.Reason == fault.ReasonInjected {
			w.Faults.Struck(fault.TargetPod, "end")
		}
	}
	return p
}
