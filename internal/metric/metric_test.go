package metric_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/metric"
)

// An object has one value for each custom metric, whatever its labels. An external metric has one
// for each set of labels.
func TestName(t *testing.T) {
	t.Parallel()
	web := &metric.Object{Group: "apps", Resource: "deployments", Name: "web"}
	base := metric.Spec{Metric: "hits", Object: web}
	for _, tt := range []struct {
		name   string
		spec   metric.Spec
		shared bool // with base
	}{
		{"another value", metric.Spec{Metric: "hits", Object: web, Value: resource.MustParse("5"), At: time.Unix(9, 0)}, true},
		{"other labels of an object's metric", metric.Spec{Metric: "hits", Object: web, Labels: map[string]string{"a": "b"}}, true},
		{"another metric", metric.Spec{Metric: "misses", Object: web}, false},
		{"another object", metric.Spec{Metric: "hits", Object: &metric.Object{Group: "apps", Resource: "deployments", Name: "db"}}, false},
		{"another resource", metric.Spec{Metric: "hits", Object: &metric.Object{Resource: "pods", Name: "web"}}, false},
		{"an external metric", metric.Spec{Metric: "hits"}, false},
	} {
		if got := tt.spec.Name() == base.Name(); got != tt.shared {
			t.Errorf("%s has the same name: %t", tt.name, got)
		}
	}
	external := func(labels map[string]string) string {
		return (&metric.Spec{Metric: "hits", Labels: labels}).Name()
	}
	if external(map[string]string{"a": "1", "b": "2"}) != external(map[string]string{"b": "2", "a": "1"}) || external(nil) == external(map[string]string{"a": "1"}) {
		t.Error("the names of external metrics do not tell their labels apart")
	}
	if name := base.Name(); !strings.HasPrefix(name, "metric-") || len(name) != len("metric-")+20 {
		t.Errorf("the name is %s", name)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	var all []*metric.Metric
	want := []string{"a/hits/", "a/hits/nodes/n", "a/hits/pods/x", "a/misses/", "b/hits/deployments.apps/web"}
	for _, i := range []int{3, 1, 4, 0, 2} {
		namespace, rest, _ := strings.Cut(want[i], "/")
		name, of, _ := strings.Cut(rest, "/")
		m := &metric.Metric{ObjectMeta: metav1.ObjectMeta{Namespace: namespace}, Spec: metric.Spec{Metric: name}}
		if resourceOf, object, ok := strings.Cut(of, "/"); ok {
			r, group, _ := strings.Cut(resourceOf, ".")
			m.Spec.Object = &metric.Object{Group: group, Resource: r, Name: object}
		}
		all = append(all, m)
	}
	slices.SortFunc(all, metric.Compare)
	var got []string
	for _, m := range all {
		of := ""
		if m.Spec.Object != nil {
			of = m.Spec.Object.String()
		}
		got = append(got, m.Namespace+"/"+m.Spec.Metric+"/"+of)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the order (-want +got):\n%s", diff)
	}
}

// A copy shares nothing with its original.
func TestDeepCopyObject(t *testing.T) {
	t.Parallel()
	m := &metric.Metric{
		ObjectMeta: metav1.ObjectMeta{Name: "m", Labels: map[string]string{"a": "b"}},
		Spec:       metric.Spec{Metric: "hits", Object: &metric.Object{Resource: "pods", Name: "x"}, Labels: map[string]string{"c": "d"}, Value: resource.MustParse("1")},
	}
	c := m.DeepCopyObject().(*metric.Metric)
	if diff := cmp.Diff(m, c); diff != "" {
		t.Errorf("the copy (-want +got):\n%s", diff)
	}
	c.Labels["a"], c.Spec.Labels["c"], c.Spec.Object.Name = "x", "x", "y"
	c.Spec.Value.Add(resource.MustParse("1"))
	if m.Labels["a"] != "b" || m.Spec.Labels["c"] != "d" || m.Spec.Object.Name != "x" || m.Spec.Value.String() != "1" {
		t.Errorf("the original has changed: %+v", m)
	}
}
