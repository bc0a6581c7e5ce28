package pod

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
)

// specPath is the path of a Pod's spec.
var specPath = field.NewPath("spec")

// validatePodCreate validates a new Pod after defaulting and admission.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodCreate
func validatePodCreate(p *corev1.Pod) field.ErrorList {
	errs := validatePod(p)
	if len(p.Spec.EphemeralContainers) > 0 {
		errs = append(errs, field.Forbidden(specPath.Child("ephemeralContainers"), "cannot be set on create"))
	}
	if p.Spec.NodeName != "" && len(p.Spec.SchedulingGates) > 0 {
		errs = append(errs, field.Forbidden(specPath.Child("nodeName"), "cannot be set until all schedulingGates have been cleared"))
	}
	return append(errs, podspec.ValidateProfilesMatch(p.Annotations, &p.Spec, specPath)...)
}

// validatePod validates metadata and spec, at creation and after an update.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodMetadataAndSpec
func validatePod(p *corev1.Pod) field.ErrorList {
	errs := check.NamespacedMeta(&p.ObjectMeta)
	errs = append(errs, podspec.ValidateAnnotations(p.Annotations, &p.Spec, field.NewPath("metadata", "annotations"))...)
	errs = append(errs, podspec.Validate(&p.Spec, &p.ObjectMeta, specPath)...)
	errs = append(errs, validateTokensWanted(&p.Spec)...)
	for i := range p.Spec.Containers {
		errs = append(errs, podspec.ValidateImageSpace(&p.Spec.Containers[i], specPath.Child("containers").Index(i))...)
	}
	for i := range p.Spec.InitContainers {
		errs = append(errs, podspec.ValidateImageSpace(&p.Spec.InitContainers[i], specPath.Child("initContainers").Index(i))...)
	}
	return errs
}

// validateTokensWanted checks that only a Pod with a service account requests a token.
func validateTokensWanted(s *corev1.PodSpec) field.ErrorList {
	if s.ServiceAccountName != "" {
		return nil
	}
	var errs field.ErrorList
	for i, v := range s.Volumes {
		if v.Projected == nil {
			continue
		}
		for j, source := range v.Projected.Sources {
			if source.ServiceAccountToken != nil {
				at := specPath.Child("volumes").Index(i).Child("projected", "sources").Index(j).Child("serviceAccountToken")
				errs = append(errs, field.Forbidden(at, "must not be specified when serviceAccountName is not set"))
			}
		}
	}
	return errs
}

// warnOfPod warns, at creation, about a name that is not a valid hostname, and about the spec.
func warnOfPod(next, old *corev1.Pod) []string {
	if old != nil {
		return nil
	}
	p := next
	var texts []string
	if msgs := utilvalidation.IsDNS1123Label(p.Name); len(msgs) > 0 {
		texts = append(texts, fmt.Sprintf("metadata.name: this is used in the Pod's hostname, "+
			"which can result in surprising behavior; a DNS label is recommended: %v", msgs))
	}
	return append(texts, podspec.Warn(nil, &p.Spec, &p.ObjectMeta)...)
}
