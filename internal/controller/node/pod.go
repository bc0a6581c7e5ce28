package node

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/sysctl"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/scheduler"
)

// syncPod is the kubelet's sync of a Pod. A Pod whose machine has used its share continues in a
// queue of its own, behind others like it, so that Pods that merely burn CPU time delay no other
// Pod: see syncBusyPod.
func (w controllers) syncPod(v mirror.View, o *object.Version, look engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	pod := o.Object().(*corev1.Pod)
	share := memory.Share(look.Memory, now)
	if share == 0 {
		return gather.Planned(plan.Plan{Wakes: []plan.Wake{{Controller: queueOfBusy(pod), Object: pod}}})
	}
	sync := w.gatherPod(v, o, look, now, share)
	return func(refused *plan.Refusal) plan.Plan {
		p := sync(refused)
		if memory.Share(p.Memory, now) == 0 && !p.WakeAt.IsZero() && !p.WakeAt.After(now) {
			p.WakeAt, p.Wakes = time.Time{}, append(p.Wakes, plan.Wake{Controller: queueOfBusy(pod), Object: pod})
		}
		return p
	}
}

// queueOfBusy returns the queue of a Pod whose machine has used its share.
func queueOfBusy(pod *corev1.Pod) string {
	if pod.DeletionTimestamp != nil {
		return names.KubeletTermination
	}
	return names.KubeletBacklog
}

// syncBusyPod is the sync of a Pod whose machine has used its share. The Pod stays in its queue
// while that is so, and then returns to the others.
func (w controllers) syncBusyPod(v mirror.View, o *object.Version, look engine.Request, now time.Time) func(*plan.Refusal) plan.Plan {
	pod := o.Object().(*corev1.Pod)
	sync := w.gatherPod(v, o, look, now, memory.BacklogSteps)
	return func(refused *plan.Refusal) plan.Plan {
		p := sync(refused)
		remembered := look.Memory
		if p.Memory != nil {
			remembered = p.Memory
		}
		if !p.WakeAt.IsZero() && memory.Share(remembered, now) > 0 {
			p.WakeAt, p.Wakes = time.Time{}, append(p.Wakes, plan.Wake{Controller: names.Kubelet, Object: pod})
		}
		return p
	}
}

// gatherPod gathers the input of a Pod's sync. It makes a Pod wait while its node does not exist,
// because the node may be created or come back, or while no address is available. While the node is
// silent, nothing happens to the Pod; its kubelet is woken when the node is back. The Pod's machine
// runs at most this many steps.
func (w controllers) gatherPod(v mirror.View, o *object.Version, look engine.Request, now time.Time, steps int64) func(*plan.Refusal) plan.Plan {
	pod := o.Object().(*corev1.Pod)
	if pod.Spec.NodeName == "" {
		return gather.Planned(plan.Plan{}) // it is synced when it is bound
	}
	node := v.Get(object.Key{Resource: "nodes", Name: pod.Spec.NodeName})
	if node == nil {
		return gather.Planned(plan.Plan{WakeAt: now.Add(nodeWait)})
	}
	s := kubelet.Snapshot{Pod: pod, Node: node.Object().(*corev1.Node), Images: w.Images, Now: now, Steps: steps, Memory: look.Memory, Sign: w.Sign}
	if w.Real != nil {
		s.Real = w.Real()
	}
	if outage.Silent(s.Node) {
		return gather.Planned(onSilentNode(pod, s.Node))
	}
	switch reason, message, wait := w.admit(v, pod, s.Node); {
	case wait:
		return gather.Planned(plan.Plan{Retry: true})
	case reason != "":
		return gather.Planned(kubelet.Reject(pod, reason, message))
	}
	if s.NeedsAddress() {
		if s.Address = w.Addresses.Next(v); s.Address == "" {
			return gather.Planned(plan.Plan{WakeAt: now.Add(addressWait)})
		}
	}
	if s.Claims = claimsOfPod(v, pod); sawOther(look, pod, s.Claims) {
		return gather.Planned(plan.Plan{Retry: true})
	}
	if podstate.AwaitsResize(pod) {
		s.Shortage = w.shortage(pod)
	}
	s.Faults = w.Faults.OfPod(pod)
	needs := need.Of(pod, look.Memory, w.Images)
	s.Moment, s.Still = look.Moment, look.Still
	if s.Calls, s.MoreCalls = look.Calls, look.MoreCalls; len(s.Calls) > 0 {
		needs = needs.And(need.ToConnect(pod, look.Memory))
	}
	s.Around = PodSurroundings(v, pod, needs)
	if needs.Asks() {
		s.Outside = outside(v, needs, func(o *object.Version) (*network.Peer, bool) { return peer(v, o, look.Peers) })
		s.Outside.Guard, s.Outside.SystemLabels = guardOf(v, pod), labelsOf(v, metav1.NamespaceSystem)
		s.Outside.Gone, s.Outside.Cut = lost(v, needs.Callees)
	}
	others := sharing(v, o)
	s.Files, s.Shared = look.Files, len(others) > 0
	tooMany := v.EachIn(mirror.EndedPods, "", nil) >= w.keptPods()
	deferred := v.First(mirror.DeferredResizes, pod.Spec.NodeName, mostDeferred)
	return func(*plan.Refusal) plan.Plan {
		p := w.tellFaults(kubelet.Reconcile(s), s.Faults)
		p = tellSharing(p, pod, others)
		p = tellDeferred(p, pod, deferred)
		return evictNewcomer(collectEnded(p, tooMany), pod, s.Node)
	}
}

// mostAdmitted bounds how many Pods a kubelet judges in one sync.
const mostAdmitted = 250

// admit decides whether the kubelet admits a Pod that it has not admitted yet; the reason is empty
// if it does. If the node may have too many Pods, those not admitted yet are judged by age, so that
// each sync gets the same result. A Pod with many others before it waits until some of these are
// admitted or rejected.
func (w controllers) admit(v mirror.View, pod *corev1.Pod, node *corev1.Node) (reason, message string, wait bool) {
	if !podstate.Unadmitted(pod) {
		return "", "", false
	}
	if reason, message = sysctl.Forbidden(pod); reason != "" {
		return reason, message, false
	}
	var k *scheduler.Kubelet // of a crowded node
	w.Nodes.Use(func(c *scheduler.Cluster) {
		if c.Crowded(pod) {
			k = c.Kubelet(node)
		}
	})
	if k == nil {
		reason, message = scheduler.NewKubelet(node).Admit(pod)
		return reason, message, false
	}
	var before []*corev1.Pod
	for _, o := range v.First(mirror.UnadmittedPods, node.Name, mostAdmitted) {
		if o.UID == pod.UID {
			reason, message = k.AdmitAfter(before, pod)
			return reason, message, false
		}
		if other := o.Object().(*corev1.Pod); !forbidden(other) {
			before = append(before, other)
		}
	}
	return "", "", true
}

// forbidden reports whether a kubelet rejects the Pod wherever it has room.
func forbidden(pod *corev1.Pod) bool {
	reason, _ := sysctl.Forbidden(pod)
	return reason != ""
}

// shortage returns why the Pod's node has no room for the resources that the Pod now requests; nil
// if it has.
func (w controllers) shortage(pod *corev1.Pod) (s *kubelet.Shortage) {
	w.Nodes.Use(func(c *scheduler.Cluster) {
		if reason, message := c.Resize(pod); reason != "" {
			s = &kubelet.Shortage{Reason: reason, Message: message}
		}
	})
	return s
}

// mostDeferred bounds how many Pods are woken at once because their node has room.
const mostDeferred = 100

// tellDeferred wakes the kubelets of Pods that wait for room on the node, if a plan frees some.
// Those that are not woken are judged again after a while.
func tellDeferred(p plan.Plan, pod *corev1.Pod, deferred []*object.Version) plan.Plan {
	if kubelet.MakesRoom(pod, p) {
		for _, other := range deferred {
			if other.UID != pod.UID {
				p.Wakes = append(p.Wakes, plan.Wake{Controller: names.Kubelet, Object: other.Object()})
			}
		}
	}
	return p
}

// PodSurroundings returns, of the objects that a Pod references, those that it needs.
func PodSurroundings(v mirror.View, pod *corev1.Pod, needs need.Needs) podsetup.Surroundings {
	var around podsetup.Surroundings
	if len(needs.ConfigMaps) > 0 {
		around.ConfigMaps = gather.Named[*corev1.ConfigMap](v, "configmaps", pod.Namespace, needs.ConfigMaps)
	}
	if len(needs.Secrets) > 0 {
		around.Secrets = gather.Named[*corev1.Secret](v, "secrets", pod.Namespace, needs.Secrets)
	}
	if !needs.Services {
		return around
	}
	if o := v.Get(object.Key{Resource: "serviceaccounts", Namespace: pod.Namespace, Name: pod.Spec.ServiceAccountName}); o != nil {
		around.Account = o.Object().(*corev1.ServiceAccount)
	}
	around.Services = gather.Listed[*corev1.Service](v, "services", pod.Namespace)
	if pod.Namespace != metav1.NamespaceDefault {
		if s := v.Get(object.Key{Resource: "services", Namespace: metav1.NamespaceDefault, Name: "kubernetes"}); s != nil {
			around.Services = append(around.Services, s.Object().(*corev1.Service))
		}
	}
	return around
}
