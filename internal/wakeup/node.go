package wakeup

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/rowlock/rowlock/internal/outage"
)

// routeNode wakes those who look at a node's Pods, and at all nodes together, for what concerns them: whether it is ready, out,
// or tainted. One that is new may have the Pods of another of its name. A Pod that comes to a node which is tainted or out is
// brought to their notice by its kubelet.
func routeNode(c Change) []Wake {
	old, _ := c.Old.(*corev1.Node)
	next, _ := c.New.(*corev1.Node)
	was, is := troubleOf(old), troubleOf(next)
	var w []Wake
	if was.standing != is.standing {
		w = append(w, Wake{Controller: NodeDisruption, UID: HousekeepingLock})
	}
	if next == nil {
		return w
	}
	if old == nil || was.record != is.record || was.ready != is.ready || was.abandoned != is.abandoned {
		w = append(w, c.self(NodePods)...)
	}
	if !equality.Semantic.DeepEqual(was.noExecute, is.noExecute) {
		w = append(w, c.self(TaintEviction)...)
	}
	return w
}

// trouble is what of a node concerns others than its own controller.
type trouble struct {
	standing
	record    string // of its outage
	abandoned bool   // it is out of service
	noExecute []corev1.Taint
}

// standing is what of a node matters to the judgement of all nodes.
type standing struct {
	ready                     corev1.ConditionStatus
	region, zone, excluded    string
	hasNotReady, hasUnreached bool
}

func troubleOf(n *corev1.Node) (t trouble) {
	if n == nil {
		return t
	}
	t.record = n.Annotations[outage.Record]
	t.region, t.zone = n.Labels[corev1.LabelTopologyRegion], n.Labels[corev1.LabelTopologyZone]
	if _, is := n.Labels["node.kubernetes.io/exclude-disruption"]; is {
		t.excluded = "excluded"
	}
	if at := slices.IndexFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool { return c.Type == corev1.NodeReady }); at >= 0 {
		t.ready = n.Status.Conditions[at].Status
	}
	for _, taint := range n.Spec.Taints {
		t.abandoned = t.abandoned || taint.Key == corev1.TaintNodeOutOfService
		if taint.Effect != corev1.TaintEffectNoExecute {
			continue
		}
		t.noExecute = append(t.noExecute, taint)
		t.hasNotReady = t.hasNotReady || taint.Key == corev1.TaintNodeNotReady
		t.hasUnreached = t.hasUnreached || taint.Key == corev1.TaintNodeUnreachable
	}
	return t
}

// toleratesOtherwise says whether the change is one of the tolerations of a Pod that has a node.
func (c Change) toleratesOtherwise() bool {
	old, _ := c.Old.(*corev1.Pod)
	next, _ := c.New.(*corev1.Pod)
	return old != nil && next != nil && next.Spec.NodeName != "" &&
		(len(old.Spec.Tolerations) != len(next.Spec.Tolerations) || !equality.Semantic.DeepEqual(old.Spec.Tolerations, next.Spec.Tolerations))
}
