package connect

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/usage"
)

// nodeSummary is a kubelet's report of its Pods' usage.
//
// Source: kubernetes v1.36 staging/src/k8s.io/kubelet/pkg/apis/stats/v1alpha1/types.go, Summary
type nodeSummary struct {
	Node nodeStats  `json:"node"`
	Pods []podStats `json:"pods"`
}

type nodeStats struct {
	NodeName  string       `json:"nodeName"`
	StartTime metav1.Time  `json:"startTime"`
	CPU       *cpuStats    `json:"cpu,omitempty"`
	Memory    *memoryStats `json:"memory,omitempty"`
}

type podStats struct {
	PodRef     podReference     `json:"podRef"`
	StartTime  metav1.Time      `json:"startTime"`
	Containers []containerStats `json:"containers"`
	CPU        *cpuStats        `json:"cpu,omitempty"`
	Memory     *memoryStats     `json:"memory,omitempty"`
}

type podReference struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	UID       string `json:"uid"`
}

type containerStats struct {
	Name      string       `json:"name"`
	StartTime metav1.Time  `json:"startTime"`
	CPU       *cpuStats    `json:"cpu,omitempty"`
	Memory    *memoryStats `json:"memory,omitempty"`
}

type cpuStats struct {
	Time           metav1.Time `json:"time"`
	UsageNanoCores int64       `json:"usageNanoCores"`
}

type memoryStats struct {
	Time            metav1.Time `json:"time"`
	WorkingSetBytes int64       `json:"workingSetBytes"`
}

// summary returns the same usage as metrics.k8s.io for the node and its Pods.
func (t *nodeTransport) summary() nodeSummary {
	out := nodeSummary{Node: nodeStats{NodeName: t.node.Name, StartTime: t.node.CreationTimestamp}, Pods: []podStats{}}
	if t.Read == nil {
		return out
	}
	var pods []*corev1.Pod
	now := t.Now()
	at := metav1.NewTime(usage.At(now))
	var used map[types.NamespacedName]*metricsv1beta1.PodMetrics
	t.Read(func(c kind.Cluster) {
		for _, o := range metrics.NodeMetrics.Derived.Objects(c, "", t.node.Name, now) {
			if m, ok := o.(*metricsv1beta1.NodeMetrics); ok {
				out.Node.CPU, out.Node.Memory = statsOf(m.Usage, at)
			}
		}
		pods = metrics.PodsOn(c, t.node.Name)
		used = make(map[types.NamespacedName]*metricsv1beta1.PodMetrics, len(pods))
		for _, m := range metrics.MetricsOfPods(c, pods, now) {
			used[types.NamespacedName{Namespace: m.Namespace, Name: m.Name}] = m
		}
	})
	for _, pod := range pods {
		if m := used[types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}]; m != nil {
			out.Pods = append(out.Pods, podStatsOf(pod, m, at))
		}
	}
	return out
}

func podStatsOf(pod *corev1.Pod, m *metricsv1beta1.PodMetrics, at metav1.Time) podStats {
	s := podStats{PodRef: podReference{Name: pod.Name, Namespace: pod.Namespace, UID: string(pod.UID)}, Containers: []containerStats{}}
	if pod.Status.StartTime != nil {
		s.StartTime = *pod.Status.StartTime
	}
	sum := corev1.ResourceList{}
	for _, c := range m.Containers {
		one := containerStats{Name: c.Name}
		if status, ok := containerStatus(pod, c.Name); ok && status.State.Running != nil {
			one.StartTime = status.State.Running.StartedAt
		}
		one.CPU, one.Memory = statsOf(c.Usage, at)
		s.Containers = append(s.Containers, one)
		usage.Add(sum, c.Usage)
	}
	s.CPU, s.Memory = statsOf(sum, at)
	return s
}

// statsOf converts usage to a kubelet's form.
func statsOf(used corev1.ResourceList, at metav1.Time) (*cpuStats, *memoryStats) {
	const nano = -9
	return &cpuStats{Time: at, UsageNanoCores: used.Cpu().ScaledValue(nano)}, &memoryStats{Time: at, WorkingSetBytes: used.Memory().Value()}
}
