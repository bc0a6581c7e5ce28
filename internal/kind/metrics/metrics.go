package metrics

import (
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/usage"
)

// NodeMetrics is metrics.k8s.io/v1beta1 NodeMetrics: the usage of a node and its Pods.
//
// Source: metrics-server v0.8 pkg/api/node.go and table.go
var NodeMetrics = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "metrics.k8s.io", Version: "v1beta1", Kind: "NodeMetrics", Plural: "nodes",
		New: func() object.Object { return &metricsv1beta1.NodeMetrics{} },
	},
	NewList: func() runtime.Object { return &metricsv1beta1.NodeMetricsList{} },
	Columns: metricsColumns,
	Derived: &kind.Derivation{Of: "nodes", Singular: "node", Missing: "nodemetrics", Objects: nodeMetrics},
}, kind.Functions[*metricsv1beta1.NodeMetrics]{
	Row: func(m *metricsv1beta1.NodeMetrics, _ time.Time) []any {
		return metricsRow(m.Name, m.Usage, m.Window)
	},
})

// PodMetrics is metrics.k8s.io/v1beta1 PodMetrics: the usage of a Pod's containers.
//
// Source: metrics-server v0.8 pkg/api/pod.go and table.go
var PodMetrics = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "metrics.k8s.io", Version: "v1beta1", Kind: "PodMetrics", Plural: "pods", Namespaced: true,
		New: func() object.Object { return &metricsv1beta1.PodMetrics{} },
	},
	NewList: func() runtime.Object { return &metricsv1beta1.PodMetricsList{} },
	Columns: metricsColumns,
	Derived: &kind.Derivation{Of: "pods", Singular: "pod", Missing: "podmetrics", Objects: podMetrics},
}, kind.Functions[*metricsv1beta1.PodMetrics]{
	Row: func(m *metricsv1beta1.PodMetrics, _ time.Time) []any {
		sum := corev1.ResourceList{}
		for _, c := range m.Containers {
			usage.Add(sum, c.Usage)
		}
		return metricsRow(m.Name, sum, m.Window)
	},
})

var metricsColumns = []metav1.TableColumnDefinition{
	{Name: "Name", Type: "string", Format: "name", Description: "Name of the resource"},
	{Name: "cpu", Type: "string", Format: "quantity"},
	{Name: "memory", Type: "string", Format: "quantity"},
	{Name: "Window", Type: "string", Format: "duration"},
}

func metricsRow(name string, use corev1.ResourceList, window metav1.Duration) []any {
	return []any{name, use.Cpu().String(), use.Memory().String(), window.Duration.String()}
}

// metricsMeta returns the metadata of metrics of an object.
func metricsMeta(o metav1.Object, now time.Time) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: o.GetNamespace(), Name: o.GetName(), Labels: maps.Clone(o.GetLabels()), CreationTimestamp: metav1.NewTime(now).Rfc3339Copy(),
	}
}

// podMetrics returns the metrics of the running Pods.
func podMetrics(c kind.Cluster, namespace, name string, now time.Time) (all []object.Object) {
	var pods []*corev1.Pod
	eachOf(c, "pods", namespace, name, func(p *corev1.Pod) { pods = append(pods, p) })
	for _, m := range MetricsOfPods(c, pods, now) {
		all = append(all, m)
	}
	return all
}

// MetricsOfPods returns the metrics of those of the given Pods that are running.
func MetricsOfPods(c kind.Cluster, pods []*corev1.Pod, now time.Time) (all []*metricsv1beta1.PodMetrics) {
	at := usage.At(now)
	work := WorkAt(c, at)
	for _, p := range pods {
		if containers := containerMetrics(p, work); len(containers) > 0 {
			all = append(all, &metricsv1beta1.PodMetrics{
				ObjectMeta: metricsMeta(p, now), Timestamp: metav1.NewTime(at), Window: metav1.Duration{Duration: usage.Window}, Containers: containers,
			})
		}
	}
	return all
}

// containerMetrics returns the metrics of a Pod's running containers.
func containerMetrics(p *corev1.Pod, work *Work) (all []metricsv1beta1.ContainerMetrics) {
	if p.Status.Phase != corev1.PodRunning {
		return nil
	}
	for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range list {
			if use, ok := usage.Container(p, &list[i], work.cpu(p, list[i].Name), work.at); ok {
				all = append(all, metricsv1beta1.ContainerMetrics{Name: list[i].Name, Usage: use})
			}
		}
	}
	return all
}

// nodeMetrics returns the metrics of the ready nodes. There are none for other nodes.
func nodeMetrics(c kind.Cluster, _, name string, now time.Time) (all []object.Object) {
	at := usage.At(now)
	work := WorkAt(c, at)
	byName := map[string]*metricsv1beta1.NodeMetrics{}
	eachOf(c, "nodes", "", name, func(n *corev1.Node) {
		if !nodeReady(n) {
			return
		}
		m := &metricsv1beta1.NodeMetrics{
			ObjectMeta: metricsMeta(n, now), Timestamp: metav1.NewTime(at), Window: metav1.Duration{Duration: usage.Window}, Usage: usage.Node(),
		}
		byName[n.Name] = m
		all = append(all, m)
	})
	add := func(p *corev1.Pod) {
		if m := byName[p.Spec.NodeName]; m != nil {
			for _, container := range containerMetrics(p, work) {
				usage.Add(m.Usage, container.Usage)
			}
		}
	}
	switch {
	case len(all) == 0:
	case name != "":
		for _, p := range PodsOn(c, name) {
			add(p)
		}
	default:
		eachOf(c, "pods", "", "", add)
	}
	return all
}

func nodeReady(n *corev1.Node) bool {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}
