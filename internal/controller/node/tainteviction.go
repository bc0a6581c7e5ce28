package node

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/tainteviction"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewTaintEviction makes the controller that deletes the Pods that do not tolerate the taints of
// their node.
func NewTaintEviction(world.World) engine.Controller {
	return engine.Controller{
		Name: names.TaintEviction, UserAgent: "taint-eviction-controller", Primary: "nodes", Batch: 4, Gather: gather.Apart(syncTaints), Remembers: true,
		// When a Pod comes to a tainted node, the kubelet wakes this controller.
		Sources: []wakeup.Source{
			wakeup.For(&core.Node.Type, evictingChanged),
			wakeup.Watches(&podkind.Kind.Type, nodeOfTolerations),
		},
	}
}

// evictingChanged holds for nodes whose taints that evict Pods have changed.
func evictingChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Node)
	node, _ := d.New.(*corev1.Node)
	return !equality.Semantic.DeepEqual(evicting(old), evicting(node))
}

// evicting returns the taints of a node, nil for none, that evict Pods.
func evicting(n *corev1.Node) (taints []corev1.Taint) {
	if n == nil {
		return nil
	}
	for _, taint := range n.Spec.Taints {
		if taint.Effect == corev1.TaintEffectNoExecute {
			taints = append(taints, taint)
		}
	}
	return taints
}

// nodeOfTolerations asks for the node of a Pod whose tolerations a client has changed.
func nodeOfTolerations(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	if d.Controller != "" || old == nil || pod == nil || pod.Spec.NodeName == "" || len(old.Spec.Tolerations) == len(pod.Spec.Tolerations) &&
		equality.Semantic.DeepEqual(old.Spec.Tolerations, pod.Spec.Tolerations) {
		return wakes
	}
	return append(wakes, wakeup.Wake{Resource: "nodes", Name: pod.Spec.NodeName})
}

// syncTaints deletes the Pods that do not tolerate the node's taints.
//
// Cost: at most 2,500 Pods, with 500 changes, and what is remembered about those that are deleted
// later.
func syncTaints(v mirror.View, o *object.Version, request engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	memory := gather.DecodeNodeMemory(request.Memory)
	s := tainteviction.Snapshot{Node: o.Object().(*corev1.Node), Now: now, Memory: memory.Evictions, Revision: v.Revision()}
	if !tainteviction.NeedsPods(s.Node, s.Memory) {
		return gather.Planned(plan.Plan{})
	}
	s.News = v.News(mirror.PodsByNode, s.Node.Name)
	wanted := tainteviction.Wants(s)
	named := make([]*object.Version, 0, len(wanted.Named))
	for _, uid := range wanted.Named {
		if o := v.UID(uid); o != nil && o.Type.Plural == podkind.Kind.Plural {
			named = append(named, o)
		}
	}
	piece := v.AfterKey(mirror.PodsByNode, s.Node.Name, wanted.After, wanted.Pods)
	s.Last = len(piece) < wanted.Pods
	return func(*plan.Refusal) plan.Plan { // decodes the Pods after the mirror is released
		s.Named, s.Pods = gather.Decoded[*corev1.Pod](named), gather.Decoded[*corev1.Pod](piece)
		p := tainteviction.Reconcile(s)
		if p.Memory != nil {
			memory.Evictions = p.Memory
			memory.Remember(&p, request.Memory)
		}
		return p
	}
}

// evictNewcomer adds to a kubelet's plan a wakeup for the Pods of a tainted node when another Pod
// has come.
func evictNewcomer(p plan.Plan, pod *corev1.Pod, node *corev1.Node) plan.Plan {
	if pod.Status.StartTime == nil && tainteviction.NeedsPods(node, nil) {
		p.Wakes = append(p.Wakes, plan.Wake{Controller: names.TaintEviction, Object: node})
	}
	return p
}
