package node

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/faults"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewFault makes the controller that applies faults to the nodes and Pods that they are for.
func NewFault(world.World) engine.Controller {
	return engine.Controller{
		Name: names.Fault, UserAgent: "fault-injector", Primary: fault.Resource, Batch: 16, Gather: gather.Apart(syncFault), Remembers: true,
		Sources: []wakeup.Source{wakeup.For(&builtin.Fault.Type, wakeup.NotBy(names.Fault))},
	}
}

// syncFault finds the target of a fault: its node, or the Pods that it concerns.
//
// Cost: one object; with a selector, at most 500 Pods of the namespace, and a wakeup for each. If
// there are more, rounds cover them.
func syncFault(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	s := faults.Snapshot{Fault: o.Object().(*fault.Fault), Now: now, Memory: request.Memory}
	var pods []*object.Version
	switch spec := &s.Fault.Spec; {
	case spec.Node != nil:
		if node := v.Get(object.Key{Resource: "nodes", Name: spec.Node.Name}); node != nil {
			s.Node = node.Object().(*corev1.Node)
		}
	case spec.Pod != nil && spec.Pod.Name != "":
		if o := v.Get(object.Key{Resource: "pods", Namespace: spec.Pod.Namespace, Name: spec.Pod.Name}); o != nil {
			pods = append(pods, o)
		}
	case spec.Pod != nil:
		after := faults.After(spec.Pod.Namespace, request.Memory)
		pods = v.AfterIn("pods", spec.Pod.Namespace, gather.PlaceOf(after), gather.RoundPiece)
		if s.More = len(pods) == gather.RoundPiece; s.More {
			s.Last = pods[gather.RoundPiece-1].Key()
		}
	}
	return func(*plan.Refusal) plan.Plan { // decodes the Pods after the mirror is released
		if s.Fault.Spec.Pod != nil {
			rule := fault.NewPodRule(s.Fault)
			s.Pods = slices.DeleteFunc(gather.Decoded[*corev1.Pod](pods), func(pod *corev1.Pod) bool { return !rule.Concerns(pod) })
		}
		return faults.Reconcile(s)
	}
}

// tellFaults wakes the controller of those faults that happen once, to check whether they have, and
// counts what has happened.
func (w controllers) tellFaults(p plan.Plan, of fault.OfPod) plan.Plan {
	if len(of.Pod) == 0 || len(p.Updates) == 0 {
		return p
	}
	for _, r := range of.Pod {
		if r.Once() {
			p.Wakes = append(p.Wakes, plan.Wake{Controller: names.Fault, Object: r.Fault})
		}
	}
	for _, e := range p.Events {
		if e.Reason == fault.ReasonInjected {
			w.Faults.Struck(fault.TargetPod, "end")
		}
	}
	return p
}
