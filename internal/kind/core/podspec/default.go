package podspec

import (
	"cmp"
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/volume"
)

// initContainerAnnotations held init containers before the spec did. They are never stored.
var initContainerAnnotations = []string{
	"pod.beta.kubernetes.io/init-containers",
	"pod.alpha.kubernetes.io/init-containers",
	"pod.beta.kubernetes.io/init-container-statuses",
	"pod.alpha.kubernetes.io/init-container-statuses",
}

// DefaultTemplate applies the defaults of templates, in place. It sets less than the defaults of a
// Pod: requests, service links and ports on the host's network stay unset until a Pod is created
// from the template.
//
// Source: kubernetes v1.36 pkg/apis/apps/v1/zz_generated.defaults.go, SetObjectDefaults_ReplicaSet, and
// pkg/apis/core/v1/conversion.go, Convert_v1_PodTemplateSpec_To_core_PodTemplateSpec
func DefaultTemplate(t *corev1.PodTemplateSpec) {
	t.Annotations = DropInitContainerAnnotations(t.Annotations)
	Default(&t.Spec)
}

// Default applies the defaults that Pods and templates have in common. serviceAccount, the old name
// of serviceAccountName, always equals it.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_PodSpec, and pkg/apis/core/v1/conversion.go,
// Convert_v1_PodSpec_To_core_PodSpec
func Default(s *corev1.PodSpec) {
	DropDisabledFields(s)
	s.ServiceAccountName = cmp.Or(s.ServiceAccountName, s.DeprecatedServiceAccount)
	s.DeprecatedServiceAccount = s.ServiceAccountName
	s.DNSPolicy = cmp.Or(s.DNSPolicy, corev1.DNSClusterFirst)
	s.RestartPolicy = cmp.Or(s.RestartPolicy, corev1.RestartPolicyAlways)
	s.SchedulerName = cmp.Or(s.SchedulerName, corev1.DefaultSchedulerName)
	kind.SetDefault(&s.SecurityContext, corev1.PodSecurityContext{})
	kind.SetDefault(&s.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)

	for i := range s.Volumes {
		volume.Default(&s.Volumes[i])
	}
	for i := range s.InitContainers {
		defaultContainer(&s.InitContainers[i])
	}
	for i := range s.Containers {
		defaultContainer(&s.Containers[i])
	}
	for i := range s.EphemeralContainers {
		defaultContainer((*corev1.Container)(&s.EphemeralContainers[i].EphemeralContainerCommon))
	}
	kind.RoundUp(s.Overhead)
	if s.Resources != nil {
		kind.RoundUp(s.Resources.Limits, s.Resources.Requests)
	}
}

// DropInitContainerAnnotations returns the annotations without initContainerAnnotations; it does
// not modify the map.
func DropInitContainerAnnotations(annotations map[string]string) map[string]string {
	kept := annotations
	for _, key := range initContainerAnnotations {
		if _, has := annotations[key]; !has {
			continue
		}
		if len(kept) == len(annotations) {
			kept = maps.Clone(annotations)
		}
		delete(kept, key)
	}
	return kept
}
