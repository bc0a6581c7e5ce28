package nodelifecycle

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// PodsBurst is how many Pods of a node one transaction changes at most.
const PodsBurst = 500

// Bound is a Node and the Pods that are bound to it. They are not modified.
type Bound struct {
	Node *corev1.Node
	Pods []*corev1.Pod
	Now  time.Time
}

// ReconcilePods marks the Pods of a node that is silent and not ready as not ready, and removes
// those that are being deleted if the node has the taint out-of-service.
//
// Source: kubernetes v1.36 pkg/controller/util/node/controller_utils.go, MarkPodsNotReady; pkg/controller/podgc/gc_controller.go,
// gcTerminating.
// Differs: the Pods of a node that a client has made not ready stay unchanged, because its kubelet
// would immediately report their state again.
func ReconcilePods(b Bound) plan.Plan {
	var p plan.Plan
	if ready := readiness(b.Node); ready == corev1.ConditionTrue || ready == "" || b.Node.DeletionTimestamp != nil {
		return p
	}
	silent := outage.Silent(b.Node)
	abandoned := slices.ContainsFunc(b.Node.Spec.Taints, func(t corev1.Taint) bool { return t.Key == corev1.TaintNodeOutOfService })
	for _, pod := range b.Pods {
		if len(p.Updates)+len(p.Deletes) == PodsBurst {
			p.WakeAt = b.Now
			break
		}
		switch {
		case abandoned && pod.DeletionTimestamp != nil:
			failed, done := collect(pod, nil)
			if done {
				zero := int64(0)
				p.Deletes = append(p.Deletes, plan.Delete{Object: pod, GracePeriodSeconds: &zero})
				continue
			}
			p.Updates = append(p.Updates, plan.Update{Object: failed, Subresource: "status"})
			p.WakeAt = b.Now
		case silent && podstate.MayBeReady(pod):
			p.Updates = append(p.Updates, plan.Update{Object: notReady(pod, b.Now), Subresource: "status"})
			p.Events = append(p.Events, plan.Event{Regarding: pod, Type: corev1.EventTypeWarning, Reason: "NodeNotReady",
				Message: "Node is not ready", Component: "node-controller"})
		}
	}
	return p
}

// Ready reports whether the node is ready.
func Ready(n *corev1.Node) bool { return readiness(n) == corev1.ConditionTrue }

// notReady is the Pod, marked as not ready.
func notReady(pod *corev1.Pod, now time.Time) *corev1.Pod {
	next := *pod
	next.Status.Conditions = slices.Clone(pod.Status.Conditions)
	for i := range next.Status.Conditions {
		if c := &next.Status.Conditions[i]; c.Type == corev1.PodReady {
			c.Status, c.LastTransitionTime = corev1.ConditionFalse, metav1.Time{Time: now.Truncate(time.Second)}
		}
	}
	return &next
}
