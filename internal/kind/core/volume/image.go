package volume

import (
	"github.com/distribution/reference"
	corev1 "k8s.io/api/core/v1"
)

// PullPolicies are the valid image pull policies.
var PullPolicies = []corev1.PullPolicy{corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever}

// PullPolicyOf returns the default pull policy of an image: Always for the tag "latest", which is
// also that of an image with neither tag nor digest; otherwise IfNotPresent, also for an invalid
// name.
//
// Source: kubernetes v1.36 pkg/util/parsers/parsers.go, ParseImageName
func PullPolicyOf(image string) corev1.PullPolicy {
	named, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return corev1.PullIfNotPresent // validation, not defaulting, rejects the name
	}
	tagged, ok := reference.TagNameOnly(named).(reference.Tagged)
	if ok && tagged.Tag() == "latest" {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}
