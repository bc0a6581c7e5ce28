package kube

import (
	"fmt"
	"maps"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// bind serves POST on a Pod's /binding and, without a name in the URL, on bindings: it gives a Pod its node. r is
// the resource of the Pods.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/storage.go, BindingREST
func (r *resource) bind(w http.ResponseWriter, req *http.Request) error {
	binding := new(corev1.Binding)
	rep, opts, err := r.receive(w, req, expected{nil, createOptions, corev1.SchemeGroupVersion.WithKind("Binding")}, binding)
	if err != nil {
		return err
	}
	namespace, name := pathValue(req, "namespace"), pathValue(req, "name")
	if err := matchNamespace(binding, namespace); err != nil {
		return err
	}
	if name != "" && name != binding.Name {
		return apierrors.NewBadRequest("name in URL does not match name in Binding object")
	}
	if err := validateBinding(binding); err != nil {
		return err
	}
	c := &change{
		r: r, w: w, namespace: namespace, name: binding.Name, uid: binding.UID, sub: assignment,
		write: opts.write(req), owned: true, // a binding owns no fields
		next: func(current *object.Version) (object.Object, error) {
			return assigned(current.Object().(*corev1.Pod), binding, r.Now)
		},
	}
	if _, _, err := c.commit(req.Context()); err != nil {
		return err
	}
	return writeValue(w, rep, http.StatusCreated, &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess, Code: http.StatusCreated,
	})
}

// assignment is the change that a binding makes: it may change everything and has been judged already.
var assignment = &kind.Subresource{}

// validateBinding judges a binding's target.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodBinding
func validateBinding(b *corev1.Binding) error {
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
	return apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Binding").GroupKind(), b.Name, errs)
}

// assigned is the Pod on its node, with the binding's annotations and labels. A Pod that has a node, is going away
// or waits for a scheduling gate is refused.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/storage.go, setPodNodeAndMetadata
func assigned(pod *corev1.Pod, b *corev1.Binding, now func() time.Time) (*corev1.Pod, error) {
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
		Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(now()).Rfc3339Copy(),
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

// merged is the map with more in it; more wins.
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

// refused is the conflict of a Pod that cannot be bound.
func refused(pod *corev1.Pod, format string, args ...any) error {
	return apierrors.NewConflict(schema.GroupResource{Resource: "pods/binding"}, pod.Name, fmt.Errorf(format, args...))
}
