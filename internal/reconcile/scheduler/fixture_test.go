package scheduler

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

type nodeOption func(*corev1.Node)

// fixture is a node and the Pods on it.
type fixture struct {
	*corev1.Node
	pods []*corev1.Pod
}

// node makes a node of 4 CPUs and 8 GiB for 10 Pods.
func node(name string, options ...nodeOption) fixture {
	n := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}},
		Status: corev1.NodeStatus{Allocatable: corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("8Gi"),
			corev1.ResourcePods: resource.MustParse("10"), corev1.ResourceEphemeralStorage: resource.MustParse("20Gi"),
		}},
	}
	for _, o := range options {
		o(n)
	}
	return fixture{Node: n}
}

// with returns the node with Pods on it.
func with(n fixture, pods ...*corev1.Pod) fixture {
	for _, p := range pods {
		p = p.DeepCopy()
		p.Spec.NodeName = n.Name
		n.pods = append(slices.Clip(n.pods), p)
	}
	return n
}

// cluster makes a cluster of the nodes and their Pods.
func cluster(nodes ...fixture) *Cluster {
	c := NewCluster()
	for _, n := range nodes {
		c.SetNode(n.Node)
		for _, p := range n.pods {
			c.AddPod(p)
		}
	}
	return c
}

func cordoned(n *corev1.Node) { n.Spec.Unschedulable = true }

func tainted(effect corev1.TaintEffect) nodeOption {
	return func(n *corev1.Node) {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: "dedicated", Value: "db", Effect: effect})
	}
}

func labelled(key, value string) nodeOption { return func(n *corev1.Node) { n.Labels[key] = value } }

func offering(name, amount string) nodeOption {
	return func(n *corev1.Node) {
		n.Status.Allocatable[corev1.ResourceName(name)] = resource.MustParse(amount)
	}
}

type podOption func(*corev1.Pod)

func pod(name string, options ...podOption) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name), ResourceVersion: "5", Generation: 1},
		Spec:       corev1.PodSpec{SchedulerName: Name, Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
		Status:     corev1.PodStatus{Phase: corev1.PodPending},
	}
	for _, o := range options {
		o(p)
	}
	return p
}

func requesting(list ...string) podOption {
	return func(p *corev1.Pod) {
		requests := corev1.ResourceList{}
		for i := 0; i < len(list); i += 2 {
			requests[corev1.ResourceName(list[i])] = resource.MustParse(list[i+1])
		}
		p.Spec.Containers[0].Resources.Requests = requests
	}
}

func ownedBy(uid string) podOption {
	return func(p *corev1.Pod) {
		yes := true
		p.OwnerReferences = []metav1.OwnerReference{{Kind: "ReplicaSet", Name: uid, UID: types.UID(uid), Controller: &yes}}
	}
}

func onHostPort(port int32) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: port, Protocol: corev1.ProtocolTCP}}
	}
}

func selecting(key, value string) podOption {
	return func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{key: value} }
}

func tolerating(key string) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists})
	}
}

// onNode requires the node by its name, as a DaemonSet does for its Pods.
func onNode(name string) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
				MatchFields: []corev1.NodeSelectorRequirement{{
					Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{name},
				}},
			}}},
		}}
	}
}

func preferring(weight int32, key string) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
				Weight: weight,
				Preference: corev1.NodeSelectorTerm{
					MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: corev1.NodeSelectorOpExists}},
				},
			}},
		}}
	}
}

func ofPriority(n int32) podOption { return func(p *corev1.Pod) { p.Spec.Priority = &n } }
