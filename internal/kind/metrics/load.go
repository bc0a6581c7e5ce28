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

// ByNode is a Cluster that finds the Pods on a node without going through all.
type ByNode interface {
	kind.Cluster
	// PodsOn are the Pods on a node, by namespace and name.
	PodsOn(node string) []*object.Version
}

// PodsOn are the Pods on a node, by namespace and name.
//
// Cost: these, if the cluster is ByNode.
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

// Loaded is a Cluster that finds the objects for which loads are declared, and the Pods that share
// them.
type Loaded interface {
	kind.Cluster
	// Loads are the objects of a namespace for which a load is declared.
	Loads(namespace string) []*object.Version
	// SelectedPods are the Pods of a namespace that a selector selects.
	SelectedPods(namespace string, selector labels.Selector) []*corev1.Pod
}

// TakesLoad says whether a load may be declared for objects of a type.
func TakesLoad(t *object.Type) bool {
	switch t {
	case &service.Kind.Type, &apps.Deployment.Type, &apps.ReplicaSet.Type, &core.ReplicationController.Type, &apps.StatefulSet.Type, &apps.DaemonSet.Type:
		return true
	}
	return false
}

// selectedBy is what an object selects for which a load may be declared.
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

// WarnOfLoad warns of a load that cannot be read, and so is none; "" for nothing.
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

// Work is what Pods have to do by the loads that are declared. The zero Work is none.
type Work struct {
	cluster    Loaded // nil for one that knows no loads
	at         time.Time
	namespaces map[string][]workShare
}

// workShare is what each ready Pod has of one load.
type workShare struct {
	source   *object.Version
	load     load.Load
	selector labels.Selector
	pods     int // that share it; -1 until they are counted
}

// WorkAt is the work of a cluster's Pods at a time.
//
// Cost: the loads of the namespaces that are asked about and, for each that concerns a Pod, the
// Pods that it selects.
func WorkAt(c kind.Cluster, at time.Time) *Work {
	loaded, _ := c.(Loaded)
	return &Work{cluster: loaded, at: at, namespaces: map[string][]workShare{}}
}

// in are the loads of a namespace.
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

// each calls f with the loads that a Pod shares and by how many they are divided.
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

// shares says whether a Pod is one of those that share loads.
func shares(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodRunning && p.DeletionTimestamp == nil && podstate.Ready(p)
}

// cpu is how much CPU a container's work takes, nil if it has none.
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

// eachOf calls f with the objects of a resource, or only with the one of the name if that is not
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
