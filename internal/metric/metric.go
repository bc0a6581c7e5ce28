// Package metric holds metric values that users set, for autoscalers to scale by: custom metrics,
// which describe a Pod or another object, and external metrics, which describe something outside
// the cluster. A value is an object of a kind of Rowlock's own. It is stored in the log like any
// other object, so all replicas know the same values. It is served under /rowlock/v1/metrics and
// deleted with its namespace.
//
// An object has one value for each custom metric. An external metric has one value for each set of
// labels.
package metric

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Names of the kind.
const (
	Group    = "rowlock.io"
	Version  = "v1"
	Kind     = "Metric"
	Plural   = "metrics"
	Resource = Plural + "." + Group
)

// Metric is one value as stored.
type Metric struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec Spec `json:"spec"`
}

// DeepCopyObject returns a deep copy.
func (m *Metric) DeepCopyObject() runtime.Object {
	next := *m
	m.ObjectMeta.DeepCopyInto(&next.ObjectMeta)
	if m.Spec.Object != nil {
		next.Spec.Object = new(*m.Spec.Object)
	}
	next.Spec.Labels = maps.Clone(m.Spec.Labels)
	next.Spec.Value = m.Spec.Value.DeepCopy()
	return &next
}

// Spec is what is measured and its value.
type Spec struct {
	Metric string            `json:"metric"`
	Object *Object           `json:"object,omitempty"` // nil for an external metric
	Labels map[string]string `json:"labels,omitempty"`
	Value  resource.Quantity `json:"value"`
	At     time.Time         `json:"at"` // in cluster time
}

// ClusterNamespace holds the values of cluster-scoped objects other than namespaces. It cannot be
// deleted.
const ClusterNamespace = metav1.NamespaceSystem

// Object is what a custom metric describes: an object in the value's namespace; for the resource
// namespaces, that namespace itself; or, in ClusterNamespace, a cluster-scoped object.
type Object struct {
	Group    string `json:"group,omitempty"`
	Resource string `json:"resource"` // in the plural
	Name     string `json:"name"`
}

// String returns a name such as "deployments.apps/web".
func (o Object) String() string {
	return schema.GroupResource{Group: o.Group, Resource: o.Resource}.String() + "/" + o.Name
}

// Name returns the name of the object that holds the value: one for each metric and object, or
// metric and set of labels.
func (s *Spec) Name() string {
	of := struct {
		Metric string
		Object *Object
		Labels map[string]string
	}{s.Metric, s.Object, s.Labels}
	if s.Object != nil {
		of.Labels = nil
	}
	doc, err := json.Marshal(of) // encodes maps in the order of their keys
	if err != nil {
		return "" // cannot happen: these types always encode
	}
	sum := sha256.Sum256(doc)
	return "metric-" + hex.EncodeToString(sum[:10])
}

// Compare orders values by metric, object and labels.
func Compare(a, b *Metric) int {
	of := func(m *Metric) string {
		if m.Spec.Object == nil {
			return ""
		}
		return m.Spec.Object.String()
	}
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Spec.Metric, b.Spec.Metric), cmp.Compare(of(a), of(b)), cmp.Compare(a.Name, b.Name))
}
