package mirror

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/rowlock/rowlock/internal/object"
)

// SelectedPods returns the Pods of a namespace that a selector selects, by name. They are shared
// and must not be changed.
//
// Cost: the Pods with the rarest of the labels that it requires; all of the namespace if it
// requires none.
func (v View) SelectedPods(namespace string, selector labels.Selector) []*corev1.Pod {
	requirements, selectable := selector.Requirements()
	if !selectable {
		return nil
	}
	var rarest []string
	fewest := -1
	for _, r := range requirements {
		if op := r.Operator(); op != selection.In && op != selection.Equals && op != selection.DoubleEquals {
			continue
		}
		in, n := r.ValuesUnsorted(), 0
		for i, value := range in {
			in[i] = Label(namespace, r.Key(), value)
			n += v.EachIn(PodsByLabel, in[i], nil)
		}
		if fewest < 0 || n < fewest {
			rarest, fewest = in, n
		}
	}
	pods := make([]*corev1.Pod, 0, max(fewest, 0))
	take := func(o *object.Version) {
		if pod := o.Object().(*corev1.Pod); selector.Matches(labels.Set(pod.Labels)) {
			pods = append(pods, pod)
		}
	}
	for _, in := range rarest {
		v.EachIn(PodsByLabel, in, take)
	}
	if fewest < 0 {
		v.Each("pods", namespace, func(o *object.Version) bool { take(o); return true })
	}
	if len(rarest) > 1 {
		slices.SortFunc(pods, func(a, b *corev1.Pod) int { return cmp.Compare(a.Name, b.Name) })
	}
	return pods
}
