package mirror

import (
	"github.com/tidwall/btree"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// contents counts the objects of one namespace that are being deleted or have finalizers. Other
// objects, nearly all of a cluster, cost nothing here.
type contents struct {
	resources  map[string]*held
	finalizers btree.Map[string, int] // objects by finalizer, over all resources
	graces     btree.Map[int64, int]  // Pods that are being deleted, by grace period in seconds
}

// held is the part of contents that belongs to one resource.
type held struct {
	terminating *tree // the objects that are being deleted
	finalized   int   // how many objects have finalizers
	finalizers  btree.Map[string, int]
}

// count adds a version to the counts, or subtracts it.
func (c *contents) count(h *held, v *object.Version, by int) {
	if v.Is(object.HasFinalizers) {
		h.finalized += by
		for _, f := range v.Object().GetFinalizers() {
			add(&c.finalizers, f, by)
			add(&h.finalizers, f, by)
		}
	}
	if v.Type.Plural != "pods" || !v.Is(object.Terminating) {
		return
	}
	if pod, ok := v.Object().(*corev1.Pod); ok && pod.Spec.TerminationGracePeriodSeconds != nil {
		add(&c.graces, *pod.Spec.TerminationGracePeriodSeconds, by)
	}
}

func add[K string | int64](counts *btree.Map[K, int], key K, by int) {
	n, _ := counts.Get(key)
	if n += by; n == 0 {
		counts.Delete(key)
		return
	}
	counts.Set(key, n)
}
