package metrics_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/kind/scheduling"
	"github.com/rowlock/rowlock/internal/metric"
	"github.com/rowlock/rowlock/internal/object"
)

// measured is the time of the newest measurement at kindtest.Now, 03:04:05.
var measured = time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)

// loaded is a cluster with indexes: every Deployment with annotations declares a load.
type loaded struct{ kindtest.ToyCluster }

// Loads implements metrics.Loaded.
func (c loaded) Loads(namespace string) (all []*object.Version) {
	c.Each("deployments.apps", namespace, func(v *object.Version) bool {
		if len(v.Object().GetAnnotations()) > 0 {
			all = append(all, v)
		}
		return true
	})
	return all
}

// SelectedPods implements metrics.Loaded.
func (c loaded) SelectedPods(namespace string, s labels.Selector) (all []*corev1.Pod) {
	c.Each("pods", namespace, func(v *object.Version) bool {
		if p := v.Object().(*corev1.Pod); s.Matches(labels.Set(p.Labels)) {
			all = append(all, p)
		}
		return true
	})
	return all
}

// PodsOn implements metrics.ByNode. This index has one Pod, whatever the node.
func (c loaded) PodsOn(string) (all []*object.Version) {
	c.Each("pods", "", func(v *object.Version) bool {
		all = append(all, v)
		return false
	})
	return all
}

// running returns a ready Pod on the node "n", whose containers a and b have run for an hour and use
// 100m of CPU and 64Mi each.
func running(name string, change func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "ns", Labels: map[string]string{"app": "web"}, Annotations: map[string]string{
			"emulation.rowlock.io/cpu-usage": "100m", "emulation.rowlock.io/memory-usage": "64Mi",
		}},
		Spec: corev1.PodSpec{NodeName: "n", Containers: []corev1.Container{{Name: "a"}, {Name: "b"}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{
			Type: corev1.PodReady, Status: corev1.ConditionTrue,
		}}},
	}
	since := metav1.NewTime(kindtest.Now.Add(-time.Hour))
	for _, c := range p.Spec.Containers {
		state := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: since}}
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: c.Name, State: state})
	}
	if change != nil {
		change(p)
	}
	return p
}

func unready(p *corev1.Pod) { p.Status.Conditions = nil }

func pending(p *corev1.Pod) { p.Status.Phase = corev1.PodPending }

// node returns a node whose condition Ready has the given status.
func node(name string, ready corev1.ConditionStatus) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.NodeStatus{
		Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}},
	}}
}

// deployment returns the Deployment "web", which declares a load.
func deployment(load string) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "ns", Annotations: map[string]string{"emulation.rowlock.io/load": load}},
		Spec:       appsv1.DeploymentSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}},
	}
}

// rows returns what "kubectl top" shows.
func rows(k *kind.Kind, c kind.Cluster, namespace, name string) (all [][]any) {
	for _, o := range k.Derived.Objects(c, namespace, name, kindtest.Now) {
		all = append(all, k.Row(o, kindtest.Now))
	}
	return all
}

// Source: metrics-server v0.8 pkg/api/pod.go and pkg/api/table.go
func TestPodMetrics(t *testing.T) {
	t.Parallel()
	elsewhere := func(p *corev1.Pod) { p.Namespace = "other" }
	started := func(p *corev1.Pod) { // 14 seconds before the measurement
		for i := range p.Status.ContainerStatuses {
			p.Status.ContainerStatuses[i].State.Running.StartedAt = metav1.NewTime(measured.Add(-14 * time.Second))
		}
	}
	oneEnded := func(p *corev1.Pod) {
		p.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}
	}
	c := kindtest.Cluster(
		running("both", nil), running("one", oneEnded), running("pending", pending), running("new", started), running("far", elsewhere),
	)
	both, one, far := []any{"both", "200m", "128Mi", "15s"}, []any{"one", "100m", "64Mi", "15s"}, []any{"far", "200m", "128Mi", "15s"}
	kindtest.Diff(t, [][]any{both, one}, rows(metrics.PodMetrics, c, "ns", ""))
	kindtest.Diff(t, [][]any{both, one, far}, rows(metrics.PodMetrics, c, "", ""))
	kindtest.Diff(t, [][]any{one}, rows(metrics.PodMetrics, c, "ns", "one"))
	kindtest.Diff(t, [][]any(nil), rows(metrics.PodMetrics, c, "ns", "new"))

	m := metrics.PodMetrics.Derived.Objects(c, "ns", "one", kindtest.Now)[0].(*metricsv1beta1.PodMetrics)
	kindtest.Diff(t, metav1.ObjectMeta{
		Name: "one", Namespace: "ns", Labels: map[string]string{"app": "web"}, CreationTimestamp: metav1.NewTime(kindtest.Now),
	}, m.ObjectMeta)
	kindtest.Diff(t, metav1.NewTime(measured), m.Timestamp)
	kindtest.Diff(t, []metricsv1beta1.ContainerMetrics{{Name: "b", Usage: kindtest.Quantities("cpu=100m memory=64Mi")}}, m.Containers)

	var columns []string
	for _, column := range metrics.PodMetrics.Columns {
		columns = append(columns, column.Name)
	}
	kindtest.Diff(t, []string{"Name", "cpu", "memory", "Window"}, columns)
}

// A node uses 100m and 512Mi itself. Only a ready one has metrics.
func TestNodeMetrics(t *testing.T) {
	t.Parallel()
	c := kindtest.Cluster(node("n", "True"), node("idle", "True"), node("lost", "Unknown"), running("p", nil), running("q", nil))
	n, idle := []any{"n", "500m", "768Mi", "15s"}, []any{"idle", "100m", "512Mi", "15s"}
	kindtest.Diff(t, [][]any{n, idle}, rows(metrics.NodeMetrics, c, "", ""))
	kindtest.Diff(t, [][]any{n}, rows(metrics.NodeMetrics, c, "", "n"))
	kindtest.Diff(t, [][]any(nil), rows(metrics.NodeMetrics, c, "", "lost"))
	kindtest.Diff(t, [][]any{{"n", "300m", "640Mi", "15s"}}, rows(metrics.NodeMetrics, loaded{c}, "", "n")) // by the index
}

// The ready Pods that an object selects share its load, which replaces the CPU usage of one
// container.
func TestWork(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		load string
		want string // the CPU that the Pod "a" uses
	}{
		"cpu":                         {"cpu=4", "2100m"},
		"requests":                    {"requests=300 request-cpu=5m", "850m"},
		"cpu of a named container":    {"cpu=1 container=b", "600m"},
		"cpu of an unknown container": {"cpu=1 container=c", "200m"},
		"no load can be parsed":       {"cpu=much", "200m"},
		"less than the usual usage":   {"cpu=0", "100m"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := loaded{kindtest.Cluster(deployment(tt.load), running("a", nil), running("b", nil), running("c", unready), running("d", pending))}
			kindtest.Diff(t, [][]any{{"a", tt.want, "128Mi", "15s"}}, rows(metrics.PodMetrics, c, "ns", "a"))
			kindtest.Diff(t, [][]any{{"c", "200m", "128Mi", "15s"}}, rows(metrics.PodMetrics, c, "ns", "c"))
		})
	}
	c := loaded{kindtest.Cluster(deployment("cpu=1"))}
	web, db := labels.Set{"app": "web"}, labels.Set{"app": "db"}
	kindtest.Diff(t, []bool{true, false, false}, []bool{
		metrics.Loads(c, "ns", web), metrics.Loads(c, "ns", db), metrics.Loads(c, "default", web),
	})
	kindtest.Diff(t, []bool{true, false}, []bool{metrics.TakesLoad(&apps.Deployment.Type), metrics.TakesLoad(&pod.Kind.Type)})
	kindtest.Diff(t, "", metrics.WarnOfLoad(deployment("cpu=1")))
	kindtest.Diff(t, "", metrics.WarnOfLoad(running("a", nil)))
	kindtest.Diff(t, "metadata.annotations[emulation.rowlock.io/load]: it must have either cpu or requests; there is no load",
		metrics.WarnOfLoad(deployment("noise=1%")))
}

// userMetric returns the stored value of a metric, an hour old; of is nil for an external one.
func userMetric(t *testing.T, name string, of *metric.Object, value string, set map[string]string) *object.Version {
	t.Helper()
	s := metric.Spec{Metric: name, Object: of, Labels: set, Value: resource.MustParse(value), At: measured.Add(-time.Hour)}
	m := &metric.Metric{ObjectMeta: metav1.ObjectMeta{Name: s.Name(), Namespace: "ns"}, Spec: s}
	body, err := object.Encode(&metrics.Metric.Type, m)
	if err != nil {
		t.Fatal(err)
	}
	v := &object.Version{Type: &metrics.Metric.Type, Namespace: m.Namespace, Name: m.Name}
	v.SetBody(body)
	return v
}

func TestCustomMetrics(t *testing.T) {
	t.Parallel()
	const requests = "requests-per-second"
	web := metric.Object{Group: "apps", Resource: "deployments", Name: "web"}
	a, b := metric.Object{Resource: "pods", Name: "a"}, metric.Object{Resource: "pods", Name: "b"}
	v := metrics.CustomMetrics(loaded{append(
		kindtest.Cluster(deployment("requests=300"), running("a", nil), running("b", nil), running("c", unready)),
		userMetric(t, "depth", &web, "7", map[string]string{"queue": "x"}), userMetric(t, requests, &b, "1", nil),
	)}, kindtest.Now)
	x, err := metrics.MetricSelector(&metav1.LabelSelector{MatchLabels: map[string]string{"queue": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	everything, err := metrics.MetricSelector(nil)
	if err != nil {
		t.Fatal(err)
	}
	set := metrics.Value{Labels: map[string]string{"queue": "x"}, Value: resource.MustParse("7"), At: measured.Add(-time.Hour)}
	computed := func(value string) metrics.Value {
		return metrics.Value{Value: resource.MustParse(value), At: measured, Window: 15 * time.Second}
	}
	tests := []struct {
		name, metric string
		of           metric.Object
		selector     labels.Selector
		want         metrics.Value // zero for none
	}{
		{"one that a user has set", "depth", web, x, set},
		{"another one", "width", web, everything, metrics.Value{}},
		{"all requests", requests, web, everything, computed("300")},
		{"a Pod's share", requests, a, everything, computed("150")},
		{"a user's value instead of the share", requests, b, everything, metrics.Value{
			Value: resource.MustParse("1"), At: measured.Add(-time.Hour),
		}},
		{"requests have no labels", requests, web, x, metrics.Value{}},
		{"a Pod without a share", requests, metric.Object{Resource: "pods", Name: "c"}, everything, metrics.Value{}},
		{"a Pod that does not exist", requests, metric.Object{Resource: "pods", Name: "z"}, everything, metrics.Value{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := v.Of("ns", tt.metric, tt.of, tt.selector)
			if !ok {
				got = metrics.Value{}
			}
			kindtest.Diff(t, tt.want, got)
		})
	}
	var namespaces []string
	for _, k := range []*kind.Kind{pod.Kind, core.Namespace, scheduling.PriorityClass} {
		namespaces = append(namespaces, metrics.NamespaceOfMetrics(k, "ns"))
	}
	kindtest.Diff(t, []string{"ns", "ns", "kube-system"}, namespaces)
}

func TestExternalMetric(t *testing.T) {
	t.Parallel()
	x, y := map[string]string{"queue": "x"}, map[string]string{"queue": "y"}
	c := kindtest.ToyCluster{
		userMetric(t, "depth", nil, "1", x), userMetric(t, "depth", nil, "2", y), userMetric(t, "width", nil, "3", x),
		userMetric(t, "depth", &metric.Object{Resource: "pods", Name: "a"}, "4", x),
	}
	at := measured.Add(-time.Hour)
	want := []metrics.Value{{Labels: x, Value: resource.MustParse("1"), At: at}, {Labels: y, Value: resource.MustParse("2"), At: at}}
	kindtest.Diff(t, want, metrics.ExternalMetric(c, "ns", "depth", labels.Everything()))
	kindtest.Diff(t, want[1:], metrics.ExternalMetric(c, "ns", "depth", labels.SelectorFromSet(y)))
	kindtest.Diff(t, []metrics.Value(nil), metrics.ExternalMetric(c, "default", "depth", labels.Everything()))
}

// There is a measurement at every step while the Pod runs: after its first version, and until it is
// deleted.
func TestHistory(t *testing.T) {
	t.Parallel()
	at := func(p *corev1.Pod, minute int, verb object.Verb) *object.Version {
		v := kindtest.Cluster(p)[0]
		v.At, v.Verb = object.MomentOf(measured.Add(time.Duration(minute)*time.Minute)), verb
		return v
	}
	idle := running("p", func(p *corev1.Pod) { p.Annotations["emulation.rowlock.io/cpu-usage"] = "1m" })
	versions := []*object.Version{
		at(running("p", nil), 1, object.Updated), at(running("p", pending), 2, object.Updated),
		at(idle, 3, object.Updated), at(idle, 4, object.Deleted),
	}
	all := metrics.History(versions, measured, measured.Add(10*time.Minute), 30*time.Second)
	got := map[string]string{}
	for _, m := range all {
		got[m.At.Sub(measured).String()] = m.Usage.Cpu().String()
	}
	kindtest.Diff(t, map[string]string{"1m0s": "200m", "1m30s": "200m", "3m0s": "2m", "3m30s": "2m"}, got)
	kindtest.Diff(t, 1, len(metrics.History(versions, measured.Add(time.Minute), measured.Add(90*time.Second), 30*time.Second)))
}
