package daemonset

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
)

// fit says whether a node must have a Pod of a DaemonSet, and whether an existing Pod may stay. The
// zero fit is that of a node that does not exist.
type fit struct{ run, stay bool }

// placement is what a DaemonSet requires of nodes.
type placement struct {
	nodeName    string // the only node; empty for any node
	required    nodeaffinity.RequiredNodeAffinity
	tolerations []corev1.Toleration
}

func placementOf(ds *appsv1.DaemonSet) placement {
	spec := &ds.Spec.Template.Spec
	return placement{
		nodeName:    spec.NodeName,
		required:    nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: *spec}),
		tolerations: tolerations(spec),
	}
}

// judge returns the fit of a node. Its free resources do not matter: the scheduler waits or
// preempts.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod
func (p placement) judge(n *corev1.Node) fit {
	if p.nodeName != "" && p.nodeName != n.Name {
		return fit{}
	}
	if match, err := p.required.Match(n); !match || err != nil { // what cannot be parsed matches no node
		return fit{}
	}
	repels := func(effects ...corev1.TaintEffect) bool {
		_, found := corev1helpers.FindMatchingUntoleratedTaint(klog.Logger{}, n.Spec.Taints, p.tolerations,
			func(t *corev1.Taint) bool { return slices.Contains(effects, t.Effect) }, false)
		return found
	}
	if repels(corev1.TaintEffectNoExecute) {
		return fit{}
	}
	return fit{run: !repels(corev1.TaintEffectNoSchedule), stay: true}
}

// Concerns reports whether a DaemonSet must be synced because a node has changed. pods are the
// DaemonSet's Pods for that node.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, syncNodeUpdate
//
// Differs: upstream does not update the status when a node with a Pod gets a taint that only repels
// new Pods, or when a node is created again under its name while its Pod still exists.
func Concerns(ds *appsv1.DaemonSet, n *corev1.Node, pods []*corev1.Pod) bool {
	older := func(p *corev1.Pod) bool { return !n.CreationTimestamp.Before(&p.CreationTimestamp) }
	scheduled := len(pods) > 0
	return placementOf(ds).judge(n).run != scheduled || scheduled && (ds.Status.NumberMisscheduled > 0 || slices.ContainsFunc(pods, older))
}

// daemonTolerations are the tolerations of all DaemonSets' Pods: they stay on unhealthy nodes and
// are scheduled to cordoned ones. The last one is only for Pods with hostNetwork.
//
// Source: kubernetes v1.36 pkg/controller/daemon/util/daemonset_util.go, AddOrUpdateDaemonPodTolerations
var daemonTolerations = [...]corev1.Toleration{
	{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeDiskPressure, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeMemoryPressure, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodePIDPressure, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeUnschedulable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeNetworkUnavailable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
}

// tolerations are the template's tolerations plus those of all DaemonSets, which replace matching
// ones.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/helper/helpers.go, AddOrUpdateTolerationInPodSpec
func tolerations(spec *corev1.PodSpec) []corev1.Toleration {
	all := slices.Clone(spec.Tolerations)
	added := daemonTolerations[:]
	if !spec.HostNetwork {
		added = added[:len(added)-1]
	}
	for _, t := range added {
		alike := func(o corev1.Toleration) bool { return t.MatchToleration(&o) }
		if i := slices.IndexFunc(all, alike); i < 0 {
			all = append(all, t)
		} else if !equality.Semantic.DeepEqual(all[i], t) {
			all[i] = t
		}
	}
	return all
}

// bind makes the scheduler bind a Pod to the node. The node meets all terms of the Pod's required
// node affinity; they are replaced by one that names the node (DS-011).
//
// Source: kubernetes v1.36 pkg/controller/daemon/util/daemonset_util.go, ReplaceDaemonSetPodNodeNameNodeAffinity
func bind(pod *corev1.Pod, node string) {
	if pod.Spec.Affinity == nil {
		pod.Spec.Affinity = &corev1.Affinity{}
	}
	if pod.Spec.Affinity.NodeAffinity == nil {
		pod.Spec.Affinity.NodeAffinity = &corev1.NodeAffinity{}
	}
	pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
			{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
		}}},
	}
}
