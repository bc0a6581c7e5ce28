// Package podtemplate makes Pods from a workload's Pod template, and computes the template's hash.
package podtemplate

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/dump"
	"k8s.io/apimachinery/pkg/util/rand"
)

// NewPod is a Pod made from the template in the owner's namespace, with the owner reference ref.
// The applier generates its name. It takes labels, annotations and finalizers from the template's
// metadata, as upstream does. The template is copied.
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

// GenerateName is the prefix of the names of an owner's Pods: the owner's name and a dash, or the
// bare name if the dash would make it invalid.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, getPodsPrefix
func GenerateName(owner string) string {
	if prefix := owner + "-"; len(validation.NameIsDNSSubdomain(prefix, true)) == 0 {
		return prefix
	}
	return owner
}

// Hash is the hash of a template, for example "5d78c9869d". Deployments distinguish their
// ReplicaSets by it, and DaemonSets their revisions. The collision count, nil before the first
// collision, changes the hash of the same template.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, ComputeHash
func Hash(template *corev1.PodTemplateSpec, collisionCount *int32) string {
	hasher := fnv.New32a()
	// The hashed text must be identical to upstream's, because ReplicaSets made by one are found by
	// the other.
	_, _ = hasher.Write([]byte(dump.ForHash(*template))) //nolint:staticcheck,govet // deprecated for the package it forwards to
	if collisionCount != nil {
		var count [8]byte
		binary.LittleEndian.PutUint32(count[:], uint32(*collisionCount))
		_, _ = hasher.Write(count[:])
	}
	return rand.SafeEncodeString(fmt.Sprint(hasher.Sum32()))
}
