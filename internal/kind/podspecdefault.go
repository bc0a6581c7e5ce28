package kind

import (
	"cmp"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// initContainerAnnotations held init containers before the spec did. They are dropped from whatever is stored.
var initContainerAnnotations = []string{
	"pod.beta.kubernetes.io/init-containers",
	"pod.alpha.kubernetes.io/init-containers",
	"pod.beta.kubernetes.io/init-container-statuses",
	"pod.alpha.kubernetes.io/init-container-statuses",
}

// DefaultPodTemplateSpec fills in, in place, what a template leaves out. It sets less than a Pod gets: a template
// stays silent about requests, service links and ports on the host's network until a Pod is made of it.
//
// Source: kubernetes v1.36 pkg/apis/apps/v1/zz_generated.defaults.go, SetObjectDefaults_ReplicaSet, and
// pkg/apis/core/v1/conversion.go, Convert_v1_PodTemplateSpec_To_core_PodTemplateSpec
func DefaultPodTemplateSpec(t *corev1.PodTemplateSpec) {
	t.Annotations = dropInitContainerAnnotations(t.Annotations)
	defaultPodSpec(&t.Spec)
}

// defaultPodSpec fills in what Pods and templates have in common. serviceAccount, an old name of serviceAccountName,
// always repeats it.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_PodSpec, and pkg/apis/core/v1/conversion.go,
// Convert_v1_PodSpec_To_core_PodSpec
func defaultPodSpec(s *corev1.PodSpec) {
	dropDisabledFields(s)
	s.ServiceAccountName = cmp.Or(s.ServiceAccountName, s.DeprecatedServiceAccount)
	s.DeprecatedServiceAccount = s.ServiceAccountName
	s.DNSPolicy = cmp.Or(s.DNSPolicy, corev1.DNSClusterFirst)
	s.RestartPolicy = cmp.Or(s.RestartPolicy, corev1.RestartPolicyAlways)
	s.SchedulerName = cmp.Or(s.SchedulerName, corev1.DefaultSchedulerName)
	setDefault(&s.SecurityContext, corev1.PodSecurityContext{})
	setDefault(&s.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)

	for i := range s.Volumes {
		defaultVolume(&s.Volumes[i])
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
	roundUp(s.Overhead)
	if s.Resources != nil {
		roundUp(s.Resources.Limits, s.Resources.Requests)
	}
}

// setDefault sets *field to a copy of value where it is nil.
func setDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// roundUp rounds quantities up to thousandths, in place.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_ResourceList
func roundUp(lists ...corev1.ResourceList) {
	for _, list := range lists {
		for name, quantity := range list {
			quantity.RoundUp(resource.Milli)
			list[name] = quantity
		}
	}
}

// dropInitContainerAnnotations returns the annotations without initContainerAnnotations; the map given is not changed.
func dropInitContainerAnnotations(annotations map[string]string) map[string]string {
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

// withDefault sets a resource that the list does not have, in place, and returns the list, which may be nil.
func withDefault(list corev1.ResourceList, name corev1.ResourceName, quantity resource.Quantity) corev1.ResourceList {
	if _, has := list[name]; has {
		return list
	}
	if list == nil {
		list = corev1.ResourceList{}
	}
	list[name] = quantity.DeepCopy()
	return list
}
