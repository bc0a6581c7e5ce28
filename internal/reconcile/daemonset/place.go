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

// fit is what a node is to a DaemonSet: whether it is to have a Pod, and whether a Pod that it has may stay. The zero fit is that
// of a node that does not exist.
type fit struct{ run, stay bool }

// placement is what a DaemonSet asks of nodes.
type placement struct {
	nodeName    string // the only node, empty for any
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

// judge says what a node is to the DaemonSet. What a node has in resources does not matter: the scheduler waits, or makes room.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod
func (p placement) judge(n *corev1.Node) fit {
	if p.nodeName != "" && p.nodeName != n.Name {
		return fit{}
	}
	if match, err := p.required.Match(n); !match || err != nil { // what cannot be parsed matches nothing
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

// Concerns says whether a DaemonSet has to be synced because a node has changed. pods are those of the DaemonSet that are for the
// node.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, syncNodeUpdate
//
// Differs: upstream leaves the status as it is when a node that has a Pod is tainted so that no new one would come, or when a node
// comes back under its name while it has a Pod still.
func Concerns(ds *appsv1.DaemonSet, n *corev1.Node, pods []*corev1.Pod) bool {
	older := func(p *corev1.Pod) bool { return !n.CreationTimestamp.Before(&p.CreationTimestamp) }
	scheduled := len(pods) > 0
	return placementOf(ds).judge(n).run != scheduled || scheduled && (ds.Status.NumberMisscheduled > 0 || slices.ContainsFunc(pods, older))
}

// daemonTolerations are what the Pods of all DaemonSets tolerate: they stay on a node in trouble, and come to one that is cordoned.
// The last is for Pods in the node's network alone.
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

// tolerations are the template's, with those of all DaemonSets, which take the place of their likes.
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

// bind makes the scheduler bind a Pod to the node: the terms of its required node affinity, which all hold there, become one that
// names the node (DS-011).
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
