package pod

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/diff"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// ephemeralContainers is the subresource through which ephemeral containers are added to a Pod.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, podEphemeralContainersStrategy
var ephemeralContainers = &kind.Subresource{
	Admission: []kind.Plugin{security.Pods},
	Prepare:   func(next, old object.Object) { prepareEphemeral(next.(*corev1.Pod), old.(*corev1.Pod)) },
	Validate: func(next, old object.Object) field.ErrorList {
		return validateEphemeralUpdate(next.(*corev1.Pod), old.(*corev1.Pod))
	},
}

// prepareEphemeral resets all fields except the ephemeral containers to those of the old Pod, in
// place.
func prepareEphemeral(next, old *corev1.Pod) {
	was := old.DeepCopy()
	added := next.Spec.EphemeralContainers
	next.Spec, next.Status = was.Spec, was.Status
	next.Spec.EphemeralContainers = added
	keepMeta(&next.ObjectMeta, &was.ObjectMeta)
	podspec.DropDisabledFields(&next.Spec)
	raiseGeneration(next, old)
}

// keepMeta resets the metadata that a subresource must not change, in place.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go, ResetObjectMetaForStatus
func keepMeta(next, old *metav1.ObjectMeta) {
	next.DeletionTimestamp, next.Generation, next.SelfLink = old.DeletionTimestamp, old.Generation, old.SelfLink
	next.Labels, next.Annotations = old.Labels, old.Annotations
	next.Finalizers, next.OwnerReferences = old.Finalizers, old.OwnerReferences
}

// raiseGeneration increments the generation if the spec changes.
func raiseGeneration(next, old *corev1.Pod) {
	next.Generation = old.Generation
	if !equality.Semantic.DeepEqual(next.Spec, old.Spec) {
		next.Generation++
	}
}

// validateEphemeralUpdate checks that ephemeral containers are only added.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodEphemeralContainersUpdate
func validateEphemeralUpdate(next, old *corev1.Pod) field.ErrorList {
	if podspec.IsMirrorPod(old.Annotations) {
		return field.ErrorList{field.Forbidden(field.NewPath(""), "static pods do not support ephemeral containers")}
	}
	errs := check.MetaUpdate(&next.ObjectMeta, &old.ObjectMeta)
	errs = append(errs, validatePod(next)...)
	errs = append(errs, podspec.ValidateAnnotationUpdate(next, old, field.NewPath("metadata", "annotations"))...)

	at := specPath.Child("ephemeralContainers")
	byName := make(map[string]*corev1.EphemeralContainer, len(next.Spec.EphemeralContainers)) // patches may change the order
	for i := range next.Spec.EphemeralContainers {
		byName[next.Spec.EphemeralContainers[i].Name] = &next.Spec.EphemeralContainers[i]
	}
	for i := range old.Spec.EphemeralContainers {
		was := &old.Spec.EphemeralContainers[i]
		switch is := byName[was.Name]; {
		case is == nil:
			errs = append(errs, field.Forbidden(at, fmt.Sprintf("existing ephemeral containers %q may not be removed\n", was.Name)))
		case !equality.Semantic.DeepEqual(was, is):
			errs = append(errs, field.Forbidden(at, fmt.Sprintf("existing ephemeral containers %q may not be changed\n%v", was.Name, ephemeralDiff(was, is))))
		}
	}
	return errs
}

// ephemeralDiff shows how a container differs, as specDiff does.
func ephemeralDiff(old, next *corev1.EphemeralContainer) string {
	if old.Size()+next.Size() > check.MaxDiffBytes {
		return ""
	}
	return diff.Diff(check.Untagged(old), check.Untagged(next))
}
