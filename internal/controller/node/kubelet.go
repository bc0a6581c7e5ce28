package node

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

const (
	// nodeWait is the pause after which a kubelet syncs a Pod again that has no node yet,
	// addressWait the pause for a Pod without an address.
	nodeWait    = 10 * time.Second
	addressWait = time.Second
	// backlogCore is the part of a core for the Pods whose machines have used their share, and
	// again for those of them that are being deleted.
	backlogCore = 0.25
)

// NewKubelet makes the kubelet, which runs Pods. It is three controllers: two more queues are for
// Pods whose machines have used their share, and for those of them that are being deleted.
//
// Cost: the Pod, the objects that it references, the Pods that share its volumes or that it talks
// to, and the Services of its namespace as it starts. It writes the Pod. Its programs run for a
// share of time.
func NewKubelet(w world.World) engine.Controller {
	c := controllers(w).kubelet(names.Kubelet)
	c.Primary, c.Batch, c.Gather = "pods", 250, gather.Apart(controllers(w).syncPod)
	c.Sources = []wakeup.Source{wakeup.For(&podkind.Kind.Type, wakeup.NotBy(names.Kubelet), runs)}
	c.WokenBy = []string{names.PersistentVolumeClaim, names.Configuration, names.Fault, names.NodePods}
	return c
}

// NewKubeletBacklog syncs, for the kubelet, the Pods whose machines have used their share.
func NewKubeletBacklog(w world.World) engine.Controller {
	return controllers(w).busyKubelet(names.KubeletBacklog)
}

// NewKubeletTermination syncs those of them that are being deleted.
func NewKubeletTermination(w world.World) engine.Controller {
	return controllers(w).busyKubelet(names.KubeletTermination)
}

func (w controllers) busyKubelet(name string) engine.Controller {
	c := w.kubelet(name)
	c.As, c.Others, c.Batch, c.Core, c.Gather = names.Kubelet, []string{"pods"}, 8, backlogCore, gather.Apart(w.syncBusyPod)
	return c
}

// kubelet returns what the three queues of the kubelet have in common.
func (w controllers) kubelet(name string) engine.Controller {
	return engine.Controller{Name: name, UserAgent: "kubelet", Remembers: true, Places: placesOfPod, Peers: w.peersOfPod, Host: nodeOfPod}
}

// runs holds for Pods that have a node and have not ended, or whose end must be confirmed because
// they are being deleted.
func runs(d wakeup.Diff) bool {
	pod, _ := d.New.(*corev1.Pod)
	return podstate.Bound(pod) && (!podstate.Terminal(pod) || pod.DeletionTimestamp != nil)
}

// nodeOfPod returns the name of a Pod's node, empty for none.
func nodeOfPod(o object.Object) string {
	if pod, ok := o.(*corev1.Pod); ok {
		return pod.Spec.NodeName
	}
	return ""
}
