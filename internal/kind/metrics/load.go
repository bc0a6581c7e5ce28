package metrics

import (
	"fmt"
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/load"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// ByNode is a Cluster with an index of Pods by node.
type ByNode interface {
	kind.Cluster
	// PodsOn returns the Pods on a node, in order of namespace and name.
	PodsOn(node string) []*object.Version
}

// PodsOn returns the Pods on a node, in order of namespace and name, by the index if there is one.
//
// Cost: these Pods, if the cluster is ByNode.
func PodsOn(c kind.Cluster, node string) (pods []*corev1.Pod) {
	if by, ok := c.(ByNode); ok {
		for _, v := range by.PodsOn(node) {
			pods = append(pods, v.Object().(*corev1.Pod))
		}
		return pods
	}
	eachOf(c, "pods", "", "", func(p *corev1.Pod) {
		if p.Spec.NodeName == node {
			pods = append(pods, p)
		}
	})
	return pods
}

// Loaded is a Cluster with indexes of the objects that declare a load, and of the Pods that share
// it.
type Loaded interface {
	kind.Cluster
	// Loads returns the objects of a namespace that declare a load.
	Loads(namespace string) []*object.Version
	// SelectedPods returns the Pods of a namespace that match a selector.
	SelectedPods(namespace string, selector labels.Selector) []*corev1.Pod
}

// TakesLoad reports whether objects of a type may declare a load.
func TakesLoad(t *object.Type) bool {
	switch t {
	case &service.Kind.Type, &apps.Deployment.Type, &apps.ReplicaSet.Type, &core.ReplicationController.Type, &apps.StatefulSet.Type, &apps.DaemonSet.Type:
		return true
	}
	return false
}

// selectedBy returns the Pod selector of an object that may declare a load.
func selectedBy(v *object.Version) (labels.Selector, bool) {
	for _, k := range []*kind.Kind{service.Kind, apps.Deployment, apps.ReplicaSet, core.ReplicationController, apps.StatefulSet, apps.DaemonSet} {
		if v.Type != &k.Type {
			continue
		}
		s := k.Selector(v.Object())
		if s == nil {
			return nil, false
		}
		selector, err := metav1.LabelSelectorAsSelector(s)
		return selector, err == nil && !selector.Empty()
	}
	return nil, false
}

// WarnOfLoad returns a warning about a declared load that cannot be parsed and so has no effect; ""
// if there is none.
func WarnOfLoad(o object.Object) string {
	text, found := o.GetAnnotations()[load.Annotation]
	if !found {
		return ""
	}
	if _, err := load.Parse(text, time.Time{}); err != nil {
		return fmt.Sprintf("metadata.annotations[%s]: %v; there is no load", load.Annotation, err)
	}
	return ""
}

// Work computes the work of Pods from the declared loads. The zero Work has none.
type Work struct {
	cluster    Loaded // nil if the cluster has no index of loads
	at         time.Time
	namespaces map[string][]workShare
}

// workShare is each ready Pod's share of one load.
type workShare struct {
	source   *object.Version
	load     load.Load
	selector labels.Selector
	pods     int // number of Pods that share it; -1 until counted
}

// WorkAt returns the work of a cluster's Pods at a time.
//
// Cost: the loads of the namespaces that are asked about and, for each that concerns a Pod, the
// Pods that it selects.
func WorkAt(c kind.Cluster, at time.Time) *Work {
	loaded, _ := c.(Loaded)
	return &Work{cluster: loaded, at: at, namespaces: map[string][]workShare{}}
}

// in returns the loads of a namespace.
func (w *Work) in(namespace string) []workShare {
	if shares, known := w.namespaces[namespace]; known || w.cluster == nil {
		return shares
	}
	var shares []workShare
	for _, v := range w.cluster.Loads(namespace) {
		o := v.Object()
		l, err := load.Parse(o.GetAnnotations()[load.Annotation], o.GetCreationTimestamp().Time)
		selector, ok := selectedBy(v)
		if err == nil && ok {
			shares = append(shares, workShare{source: v, load: l, selector: selector, pods: -1})
		}
	}
	w.namespaces[namespace] = shares
	return shares
}

// each calls f with the loads that a Pod shares.
func (w *Work) each(p *corev1.Pod, f func(s *workShare)) {
	if !shares(p) {
		return
	}
	list := w.in(p.Namespace)
	for i := range list {
		s := &list[i]
		if !s.selector.Matches(labels.Set(p.Labels)) {
			continue
		}
		w.count(p.Namespace, s)
		f(s)
	}
}

// count counts the Pods that share a load.
func (w *Work) count(namespace string, s *workShare) {
	if s.pods >= 0 {
		return
	}
	s.pods = 0
	for _, p := range w.cluster.SelectedPods(namespace, s.selector) {
		if shares(p) {
			s.pods++
		}
	}
}

// shares reports whether a Pod shares loads.
func shares(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodRunning && p.DeletionTimestamp == nil && podstate.Ready(p)
}

// cpu returns the CPU that a container's work uses, nil if it has no work.
func (w *Work) cpu(p *corev1.Pod, container string) (q *resource.Quantity) {
	const micros = 1e6
	w.each(p, func(s *workShare) {
		named := s.load.Container
		if named == "" && len(p.Spec.Containers) > 0 {
			named = p.Spec.Containers[0].Name
		}
		if named != container || s.pods == 0 {
			return
		}
		if q == nil {
			q = resource.NewScaledQuantity(0, resource.Micro)
		}
		q.Add(*resource.NewScaledQuantity(int64(math.Round(s.load.CPUAt(w.at)*micros/float64(s.pods))), resource.Micro))
	})
	return q
}

// eachOf calls f with the objects of a resource, or only with the one with this name if it is not
// "".
func eachOf[T object.Object](c kind.Cluster, resource, namespace, name string, f func(T)) {
	if name != "" {
		if o, ok := kind.Found[T](c, resource, namespace, name); ok {
			f(o)
		}
		return
	}
	c.Each(resource, namespace, func(v *object.Version) bool {
		if o, ok := v.Object().(T); ok {
			f(o)
		}
		return true
	})
}
