// Package podtemplate makes Pods out of a workload's Pod template.
package podtemplate

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NewPod is a Pod of the template in the owner's namespace, with the owner's reference ref, whose name is left to
// the applier to draw. Of the template's metadata it takes labels, annotations and finalizers, as upstream does.
// The template is copied.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, GetPodFromTemplate
func NewPod(template *corev1.PodTemplateSpec, owner metav1.Object, ref metav1.OwnerReference) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       owner.GetNamespace(),
			GenerateName:    GenerateName(owner.GetName()),
			Labels:          maps.Clone(template.Labels),
			Annotations:     maps.Clone(template.Annotations),
			Finalizers:      slices.Clone(template.Finalizers),
			OwnerReferences: []metav1.OwnerReference{*ref.DeepCopy()},
		},
		Spec: *template.Spec.DeepCopy(),
	}
}

// GenerateName is what the names of an owner's Pods begin with: the owner's name and a dash, or the bare name
// where the dash would make it invalid.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, getPodsPrefix
func GenerateName(owner string) string {
	if prefix := owner + "-"; len(validation.NameIsDNSSubdomain(prefix, true)) == 0 {
		return prefix
	}
	return owner
}
