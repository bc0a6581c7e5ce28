package usermetric_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/restmapper"
	"k8s.io/metrics/pkg/client/custom_metrics"
	"k8s.io/metrics/pkg/client/external_metrics"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/metric"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// value is the value of a metric in the namespace default, measured a minute ago.
func value(of *metric.Object, name, quantity string, set map[string]string) *metric.Metric {
	m := &metric.Metric{Spec: metric.Spec{
		Metric: name, Object: of, Labels: set, Value: resource.MustParse(quantity), At: apitest.Now.Add(-time.Minute),
	}}
	m.Namespace, m.Name = "default", m.Spec.Name()
	m.UID = types.UID(m.Name)
	return m
}

func pod(name, app string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, UID: types.UID(name), Labels: map[string]string{"app": app},
	}}
}

// cluster has three Pods, two of them with a value, and two values of an external metric.
func cluster(t *testing.T) *apitest.Cluster {
	t.Helper()
	c := apitest.NewCluster(t)
	for _, p := range []*corev1.Pod{pod("web-1", "web"), pod("web-2", "web"), pod("db-1", "db")} {
		c.Store(t, p)
	}
	c.Store(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: metric.ClusterNamespace, UID: "system"}})
	node := value(&metric.Object{Resource: "nodes", Name: "node-1"}, "heat", "40", nil)
	node.Namespace = metric.ClusterNamespace
	for _, m := range []*metric.Metric{
		value(&metric.Object{Resource: "pods", Name: "web-1"}, "hits", "120", nil),
		value(&metric.Object{Resource: "pods", Name: "db-1"}, "hits", "7500m", map[string]string{"verb": "GET"}),
		value(&metric.Object{Group: "apps", Resource: "deployments", Name: "web"}, "hits", "1k", nil),
		node,
		value(nil, "queue", "5", map[string]string{"topic": "mail"}),
		value(nil, "queue", "9", map[string]string{"topic": "jobs"}),
	} {
		if _, err := c.Write(t.Context(), store.Change{Verb: object.Created, Type: &metrics.Metric.Type, New: m}); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// custom returns the client that upstream's autoscalers use.
func custom(t *testing.T, c *apitest.Cluster) custom_metrics.CustomMetricsClient {
	t.Helper()
	d, err := discovery.NewDiscoveryClientForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(d))
	return custom_metrics.NewForConfig(c.Config(), mapper, custom_metrics.NewAvailableAPIsGetter(d))
}

// TestCustomMetrics: upstream's client finds the value of an object, or those of all that a
// selector matches.
func TestCustomMetrics(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	client, all := custom(t, c), labels.Everything()
	in := client.NamespacedMetrics("default")
	pods := schema.GroupKind{Kind: "Pod"}

	one, err := in.GetForObject(pods, "web-1", "hits", all)
	if err != nil {
		t.Fatal(err)
	}
	described := corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web-1"}
	measured := one.Timestamp.Time.Equal(apitest.Now.Add(-time.Minute)) && one.WindowSeconds == nil
	if one.DescribedObject != described || one.Value.String() != "120" || !measured {
		t.Errorf("a Pod's value: %+v", one)
	}
	many, err := in.GetForObjects(pods, labels.SelectorFromSet(labels.Set{"app": "web"}), "hits", all)
	if err != nil || len(many.Items) != 1 || many.Items[0].DescribedObject.Name != "web-1" {
		t.Errorf("the values of all Pods of web: %+v, %v", many, err)
	}
	labelled, err := in.GetForObjects(pods, all, "hits", labels.SelectorFromSet(labels.Set{"verb": "GET"}))
	if err != nil || len(labelled.Items) != 1 || labelled.Items[0].Value.String() != "7500m" {
		t.Errorf("the values with a label: %+v, %v", labelled, err)
	}
	deployment, err := in.GetForObject(schema.GroupKind{Group: "apps", Kind: "Deployment"}, "web", "hits", all)
	if err != nil || deployment.Value.String() != "1k" {
		t.Errorf("a Deployment's value: %v, %v", deployment, err)
	}
	node, err := client.RootScopedMetrics().GetForObject(schema.GroupKind{Kind: "Node"}, "node-1", "heat", all)
	if err != nil || node.Value.String() != "40" {
		t.Errorf("a node's value: %v, %v", node, err)
	}
}

// TestCustomMetrics_Missing: an object without a value gets upstream's text; of several, those
// without are left out.
func TestCustomMetrics_Missing(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	in := custom(t, c).NamespacedMetrics("default")
	_, err := in.GetForObject(schema.GroupKind{Kind: "Pod"}, "web-2", "hits", labels.Everything())
	if want := "the server could not find the metric hits for pods web-2"; err == nil || err.Error() != want {
		t.Errorf("a Pod without a value: %v", err)
	}
	none, err := in.GetForObjects(schema.GroupKind{Kind: "Pod"}, labels.Everything(), "misses", labels.Everything())
	if err != nil || len(none.Items) != 0 {
		t.Errorf("a metric that no Pod has: %+v, %v", none, err)
	}
	for path, code := range map[string]int{
		"/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/unicorns/a/hits":                   404,
		"/apis/custom.metrics.k8s.io/v1beta2/pods/web-1/hits":                                      404,
		"/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/pods/*/hits?labelSelector=%2C%2C":  400,
		"/apis/external.metrics.k8s.io/v1beta1/namespaces/default/queue?labelSelector=a+in+notset": 400,
	} {
		if res := c.Do(t, "GET "+path, ""); res.Code != code {
			t.Errorf("%s is answered %d %s", path, res.Code, res.Body)
		}
	}
}

// TestExternalMetrics: upstream's client finds the values that a selector matches.
func TestExternalMetrics(t *testing.T) {
	t.Parallel()
	client, err := external_metrics.NewForConfig(cluster(t).Config())
	if err != nil {
		t.Fatal(err)
	}
	for selector, want := range map[string]int{"": 2, "topic=mail": 1, "topic=news": 0} {
		s, err := labels.Parse(selector)
		if err != nil {
			t.Fatal(err)
		}
		list, err := client.NamespacedMetrics("default").List("queue", s)
		if err != nil || len(list.Items) != want {
			t.Errorf("%q: %+v, %v", selector, list, err)
		}
	}
}
