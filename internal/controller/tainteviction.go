package controller

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TaintEviction deletes the Pods that do not tolerate the taints of their node.
const TaintEviction = "tainteviction"

func newTaintEviction(World) engine.Controller {
	return engine.Controller{
		Name: TaintEviction, UserAgent: "taint-eviction-controller", Primary: "nodes", Batch: 4, Gather: apart(lookForEvictions), Remembers: true,
		// A Pod that comes to a tainted node is brought to its notice by the kubelet.
		Sources: []wakeup.Source{
			wakeup.For(&kind.Node.Type, evictingChanged),
			wakeup.Watches(&kind.Pod.Type, nodeOfTolerations),
		},
	}
}

// evictingChanged holds for nodes that have other taints than before which evict Pods.
func evictingChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Node)
	node, _ := d.New.(*corev1.Node)
	return !equality.Semantic.DeepEqual(evicting(old), evicting(node))
}

// evicting are the taints of a node, nil for none, that evict Pods.
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
