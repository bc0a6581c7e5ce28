package history

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	podresources "k8s.io/component-helpers/resource"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// schedulerWriter is the log's name for the scheduler.
const schedulerWriter = "default-scheduler"

// labelsOf returns an object's labels, for selectors.
func labelsOf(o object.Object) labels.Set { return o.GetLabels() }

// selectorOf returns the selector of a ReplicaSet, a DaemonSet or a ReplicationController; nil for
// other kinds.
func selectorOf(o object.Object) *metav1.LabelSelector {
	switch set := o.(type) {
	case *appsv1.ReplicaSet:
		return set.Spec.Selector
	case *appsv1.DaemonSet:
		return set.Spec.Selector
	case *corev1.ReplicationController:
		return &metav1.LabelSelector{MatchLabels: set.Spec.Selector}
	}
	return nil
}

// Capacity checks that the scheduler never overcommits a node: whenever it binds a Pod, the node
// exists, and the requests of the Pods on it, until they have finished or are removed, do not
// exceed what is allocatable.
func Capacity(h History) []Violation {
	var found []Violation
	nodes, on := map[string]*corev1.Node{}, map[string]map[types.UID]*corev1.Pod{}
	node := map[types.UID]string{}
	for _, e := range h {
		switch o := e.Object.(type) {
		case *corev1.Node:
			nodes[o.Name] = o
		case *corev1.Pod:
			was := node[e.UID]
			delete(on[was], e.UID)
			node[e.UID] = o.Spec.NodeName
			if podstate.Terminal(o) || o.Spec.NodeName == "" {
				break
			}
			if on[o.Spec.NodeName] == nil {
				on[o.Spec.NodeName] = map[types.UID]*corev1.Pod{}
			}
			on[o.Spec.NodeName][e.UID] = o
			if was != "" || e.Writer != schedulerWriter {
				break
			}
			if message := overfull(nodes[o.Spec.NodeName], on[o.Spec.NodeName]); message != "" {
				found = append(found, Violation{e.Revision, e.Key, "bound to " + o.Spec.NodeName + ", which " + message})
			}
		}
		if e.Verb == object.Deleted {
			delete(on[node[e.UID]], e.UID)
			delete(node, e.UID)
			if e.Key.Resource == "nodes" {
				delete(nodes, e.Key.Name)
			}
		}
	}
	return found
}

// overfull returns which resource a node has less of than these Pods request; "" for none.
func overfull(node *corev1.Node, pods map[types.UID]*corev1.Pod) string {
	if node == nil {
		return "does not exist"
	}
	sum := corev1.ResourceList{}
	for _, p := range pods {
		for name, q := range podresources.PodRequests(p, podresources.PodResourcesOptions{}) {
			total := sum[name]
			total.Add(q)
			sum[name] = total
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sum)) {
		asked, has := sum[name], node.Status.Allocatable[name]
		if asked.Cmp(has) > 0 {
			return fmt.Sprintf("has %s of %s for Pods that ask for %s", has.String(), name, asked.String())
		}
	}
	if has, limited := node.Status.Allocatable[corev1.ResourcePods]; limited && int64(len(pods)) > has.Value() {
		return fmt.Sprintf("has %d Pods and may have %d", len(pods), has.Value())
	}
	return ""
}

// Addresses checks that exclusive addresses have one holder at every revision: the address of a Pod
// until it has finished, a Service's cluster IPs and node ports.
func Addresses(h History) []Violation {
	var found []Violation
	holders, holds := map[string]types.UID{}, map[types.UID][]string{}
	for _, e := range h {
		var keys []string
		if e.Verb != object.Deleted {
			keys = held(e.Object)
		}
		for _, key := range holds[e.UID] {
			if holders[key] == e.UID {
				delete(holders, key)
			}
		}
		delete(holds, e.UID)
		for _, key := range keys {
			if other, taken := holders[key]; taken {
				found = append(found, Violation{e.Revision, e.Key, fmt.Sprintf("has the %s of %s", key, other)})
			}
			holders[key] = e.UID
		}
		if len(keys) > 0 {
			holds[e.UID] = keys
		}
	}
	return found
}

// held returns an object's addresses and ports, each as text.
func held(o object.Object) (keys []string) {
	switch o := o.(type) {
	case *corev1.Pod:
		if o.Status.PodIP != "" && !o.Spec.HostNetwork && !podstate.Terminal(o) {
			keys = append(keys, "address "+o.Status.PodIP)
		}
	case *corev1.Service:
		for _, ip := range o.Spec.ClusterIPs {
			if ip != corev1.ClusterIPNone {
				keys = append(keys, "address "+ip)
			}
		}
		for _, p := range o.Spec.Ports {
			if p.NodePort != 0 {
				keys = append(keys, strings.ToLower(fmt.Sprintf("node port %d/%s", p.NodePort, p.Protocol)))
			}
		}
	}
	return keys
}
