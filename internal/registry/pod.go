package registry

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
)

// Binding is the subresource that binds a Pod: it may change everything, because Bind has already
// judged it.
var Binding = &kind.Subresource{}

// ValidateBinding validates a binding's target. Errors: *Invalid.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodBinding
func ValidateBinding(b *corev1.Binding) error {
	var errs field.ErrorList
	target := field.NewPath("target")
	if k := b.Target.Kind; k != "" && k != "Node" {
		errs = append(errs, field.NotSupported(target.Child("kind"), k, []string{"Node", "<empty>"}))
	}
	if b.Target.Name == "" {
		errs = append(errs, field.Required(target.Child("name"), ""))
	}
	if len(errs) == 0 {
		return nil
	}
	// Differs: upstream answers the same errors with 500.
	return &Invalid{Kind: corev1.SchemeGroupVersion.WithKind("Binding").GroupKind(), Name: b.Name, Errors: errs}
}

// Bind returns a copy of the Pod on its node, with the binding's annotations and labels. It refuses
// a Pod that has a node, is being deleted or waits for a scheduling gate. Errors: *Conflict.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/storage.go, setPodNodeAndMetadata
func Bind(pod *corev1.Pod, b *corev1.Binding, now time.Time) (*corev1.Pod, error) {
	if rev := b.ResourceVersion; rev != "" && rev != pod.ResourceVersion {
		return nil, refused(pod, "Precondition failed: ResourceVersion in precondition: %s, ResourceVersion in object meta: %s", rev, pod.ResourceVersion)
	}
	switch {
	case pod.DeletionTimestamp != nil:
		return nil, refused(pod, "pod %s is being deleted, cannot be assigned to a host", pod.Name)
	case pod.Spec.NodeName != "":
		return nil, refused(pod, "pod %s is already assigned to node %q", pod.Name, pod.Spec.NodeName)
	case len(pod.Spec.SchedulingGates) > 0:
		return nil, refused(pod, "pod %s has non-empty .spec.schedulingGates", pod.Name)
	}
	next := pod.DeepCopy()
	next.Spec.NodeName = b.Target.Name
	next.Status.NominatedNodeName = ""
	next.Annotations = merged(next.Annotations, b.Annotations)
	next.Labels = merged(next.Labels, b.Labels)
	scheduled := corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(now).Rfc3339Copy(),
	}
	for i, c := range next.Status.Conditions {
		if c.Type == scheduled.Type {
			if c.Status == scheduled.Status {
				scheduled.LastTransitionTime = c.LastTransitionTime
			}
			next.Status.Conditions[i] = scheduled
			return next, nil
		}
	}
	next.Status.Conditions = append(next.Status.Conditions, scheduled)
	return next, nil
}

// merged returns the map with more added; more wins.
func merged(m, more map[string]string) map[string]string {
	if len(more) == 0 {
		return m
	}
	if m == nil {
		m = make(map[string]string, len(more))
	}
	maps.Copy(m, more)
	return m
}

// refused returns the conflict of a Pod that cannot be bound.
func refused(pod *corev1.Pod, format string, args ...any) error {
	return &Conflict{Resource: schema.GroupResource{Resource: "pods/binding"}, Name: pod.Name, Err: fmt.Errorf(format, args...)}
}

// Disrupted returns a copy of a Pod with the condition that it is the target of a disruption by
// eviction.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go, addConditionAndDeletePod
func Disrupted(pod *corev1.Pod, now time.Time) *corev1.Pod {
	pod = pod.DeepCopy()
	c := corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(now).Rfc3339Copy(),
		Reason: "EvictionByEvictionAPI", Message: "Eviction API: evicting",
	}
	at := slices.IndexFunc(pod.Status.Conditions, func(old corev1.PodCondition) bool { return old.Type == c.Type })
	if at < 0 {
		pod.Status.Conditions = append(pod.Status.Conditions, c)
		return pod
	}
	if old := pod.Status.Conditions[at]; old.Status == c.Status {
		c.LastTransitionTime = old.LastTransitionTime
	}
	pod.Status.Conditions[at] = c
	return pod
}
