// Package metric is the values of metrics that users set, for autoscalers to scale by: custom metrics, of a Pod or another object, and
// external ones, of something outside the cluster. A value is an object of a kind of Rowlock's own, stored in the log like every other,
// so that all replicas know the same values; it is served under /rowlock/v1/metrics, and goes with its namespace.
//
// An object has one value of each custom metric. An external metric has one for each set of labels.
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

// What names the kind.
const (
	Group    = "rowlock.io"
	Version  = "v1"
	Kind     = "Metric"
	Plural   = "metrics"
	Resource = Plural + "." + Group
)

// Metric is one value as it is stored.
type Metric struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec Spec `json:"spec"`
}

// DeepCopyObject copies all.
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

// Spec is what is measured, and its value.
type Spec struct {
	Metric string            `json:"metric"`
	Object *Object           `json:"object,omitempty"` // nil for an external metric
	Labels map[string]string `json:"labels,omitempty"`
	Value  resource.Quantity `json:"value"`
	At     time.Time         `json:"at"` // in cluster time
}

// ClusterNamespace is where the values of objects are kept that have no namespace, but for namespaces. It cannot be deleted.
const ClusterNamespace = metav1.NamespaceSystem

// Object is what a custom metric is about: an object of the value's namespace, for the resource namespaces the namespace itself or, in
// ClusterNamespace, an object without a namespace.
type Object struct {
	Group    string `json:"group,omitempty"`
	Resource string `json:"resource"` // in the plural
	Name     string `json:"name"`
}

// String is "deployments.apps/web".
func (o Object) String() string {
	return schema.GroupResource{Group: o.Group, Resource: o.Resource}.String() + "/" + o.Name
}

// Name is what the object is called that has the value: there is one for each name.
func (s *Spec) Name() string {
	of := struct {
		Metric string
		Object *Object
		Labels map[string]string
	}{s.Metric, s.Object, s.Labels}
	if s.Object != nil {
		of.Labels = nil
	}
	doc, err := json.Marshal(of) // maps in the order of their keys
	if err != nil {
		return "" // these types always encode
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
