package scheduler

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// terms is a Pod's affinity and anti-affinity to other Pods.
type terms struct {
	affinity, antiAffinity []term // required
	preferred              []term // by weight, which is negative for anti-affinity
	text                   string // equal for equal terms
}

// term selects Pods, and has the label by which nodes are near each other.
type term struct {
	namespaces []string
	others     labels.Selector // of further namespaces, by their labels; nil if none exist
	selector   labels.Selector
	key        string
	weight     int64
}

// termsOf reads a Pod's terms; nil if it has none. A selector that cannot be parsed selects
// nothing.
// Source: kubernetes v1.36 pkg/scheduler/framework/types.go, newAffinityTerm and getNamespacesFromPodAffinityTerm.
func termsOf(pod *corev1.Pod) *terms {
	a := pod.Spec.Affinity
	if a == nil || a.PodAffinity == nil && a.PodAntiAffinity == nil {
		return nil
	}
	t := &terms{text: a.PodAffinity.String() + a.PodAntiAffinity.String()}
	read := func(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm, sign int64) (list []term) {
		for i := range required {
			list = append(list, newTerm(pod.Namespace, &required[i], 0))
		}
		for i := range preferred {
			t.preferred = append(t.preferred, newTerm(pod.Namespace, &preferred[i].PodAffinityTerm, sign*int64(preferred[i].Weight)))
		}
		return list
	}
	if near := a.PodAffinity; near != nil {
		t.affinity = read(near.RequiredDuringSchedulingIgnoredDuringExecution, near.PreferredDuringSchedulingIgnoredDuringExecution, 1)
	}
	if far := a.PodAntiAffinity; far != nil {
		t.antiAffinity = read(far.RequiredDuringSchedulingIgnoredDuringExecution, far.PreferredDuringSchedulingIgnoredDuringExecution, -1)
	}
	if len(t.affinity)+len(t.antiAffinity)+len(t.preferred) == 0 {
		return nil
	}
	return t
}

func newTerm(namespace string, t *corev1.PodAffinityTerm, weight int64) term {
	out := term{namespaces: t.Namespaces, selector: selectorOf(t.LabelSelector), key: t.TopologyKey, weight: weight}
	if t.NamespaceSelector != nil {
		out.others = selectorOf(t.NamespaceSelector)
	} else if len(t.Namespaces) == 0 {
		out.namespaces = []string{namespace}
	}
	return out
}

// selectorOf is the selector, or one that selects nothing if s is nil or invalid.
func selectorOf(s *metav1.LabelSelector) labels.Selector {
	parsed, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return labels.Nothing()
	}
	return parsed
}

// selects reports whether the term selects Pods like p.
func (t *term) selects(b *batch, p *party) bool {
	if !slices.Contains(t.namespaces, p.namespace) && (t.others == nil || !t.others.Matches(labels.Set(b.namespaceLabels(p.namespace)))) {
		return false
	}
	return t.selector.Matches(labels.Set(p.labels))
}

// selectedByAll reports whether all terms select Pods like p, and there is at least one term.
func selectedByAll(b *batch, list []term, p *party) bool {
	for i := range list {
		if !list[i].selects(b, p) {
			return false
		}
	}
	return len(list) > 0
}

// candidates calls f with the groups that the term may select, possibly several times with the same
// group.
func (t *term) candidates(b *batch, f func(*group)) {
	for _, namespace := range t.namespaces {
		b.cluster.candidates(namespace, t.selector, f)
	}
	if t.others != nil {
		for namespace := range b.cluster.byNamespace {
			if t.others.Matches(labels.Set(b.namespaceLabels(namespace))) {
				b.cluster.candidates(namespace, t.selector, f)
			}
		}
	}
}

// candidates calls f with the groups of a namespace that a selector may select: those with the
// rarest label that it requires.
func (c *Cluster) candidates(namespace string, selector labels.Selector, f func(*group)) {
	requirements, selectable := selector.Requirements()
	if !selectable {
		return
	}
	few := c.byNamespace[namespace]
	for i := range requirements {
		if value, one := exactly(&requirements[i]); one {
			if g := c.byLabel[labelIn{namespace, requirements[i].Key(), value}]; len(g) < len(few) {
				few = g
			}
		}
	}
	for g := range few {
		f(g)
	}
}

// exactly is the only value that a requirement accepts.
func exactly(r *labels.Requirement) (value string, one bool) {
	switch r.Operator() {
	case selection.Equals, selection.DoubleEquals, selection.In:
		if values := r.ValuesUnsorted(); len(values) == 1 {
			return values[0], true
		}
	}
	return "", false
}
