// Package podsetup composes what a Pod's containers get: their command lines, environments and
// volumes, from the Pod and the objects that it refers to.
//
// Errors have the kubelet's wording, as its events and statuses show them.
package podsetup

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// Surroundings are the objects that a Pod refers to. They are not modified.
type Surroundings struct {
	// ConfigMaps and Secrets are those in the Pod's namespace that it refers to (see References)
	// and that exist, by name.
	ConfigMaps map[string]*corev1.ConfigMap
	Secrets    map[string]*corev1.Secret

	// Services are the Services in the Pod's namespace, and "kubernetes" in the namespace default.
	Services []*corev1.Service

	// Node is the node that the Pod runs on.
	Node *corev1.Node

	// Account is the Pod's ServiceAccount; nil if it does not exist.
	Account *corev1.ServiceAccount

	// Issued returns when a token was issued, in seconds since 1970, for a token without that date.
	// If nil, tokens are as old as their Pod.
	Issued func(Token) int64
}

func (s *Surroundings) configMap(name string, optional *bool) (*corev1.ConfigMap, error) {
	if cm := s.ConfigMaps[name]; cm != nil || isTrue(optional) {
		return cm, nil
	}
	return nil, fmt.Errorf("configmap %q not found", name)
}

func (s *Surroundings) secret(name string, optional *bool) (*corev1.Secret, error) {
	if secret := s.Secrets[name]; secret != nil || isTrue(optional) {
		return secret, nil
	}
	return nil, fmt.Errorf("secret %q not found", name)
}

func isTrue(b *bool) bool { return b != nil && *b }

// References are the names of the ConfigMaps and Secrets that the Pod's containers and volumes
// refer to, including optional ones, each once for every reference.
func References(spec *corev1.PodSpec) (configMaps, secrets []string) {
	for i := range spec.Volumes {
		cms, ss := volumeReferences(&spec.Volumes[i])
		configMaps, secrets = append(configMaps, cms...), append(secrets, ss...)
	}
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			cms, ss := containerReferences(list[i].EnvFrom, list[i].Env)
			configMaps, secrets = append(configMaps, cms...), append(secrets, ss...)
		}
	}
	for i := range spec.EphemeralContainers {
		cms, ss := containerReferences(spec.EphemeralContainers[i].EnvFrom, spec.EphemeralContainers[i].Env)
		configMaps, secrets = append(configMaps, cms...), append(secrets, ss...)
	}
	return configMaps, secrets
}

func volumeReferences(v *corev1.Volume) (configMaps, secrets []string) {
	switch {
	case v.ConfigMap != nil:
		configMaps = append(configMaps, v.ConfigMap.Name)
	case v.Secret != nil:
		secrets = append(secrets, v.Secret.SecretName)
	case v.Projected != nil:
		for _, source := range v.Projected.Sources {
			if source.ConfigMap != nil {
				configMaps = append(configMaps, source.ConfigMap.Name)
			}
			if source.Secret != nil {
				secrets = append(secrets, source.Secret.Name)
			}
		}
	}
	return configMaps, secrets
}

func containerReferences(from []corev1.EnvFromSource, env []corev1.EnvVar) (configMaps, secrets []string) {
	for _, f := range from {
		if f.ConfigMapRef != nil {
			configMaps = append(configMaps, f.ConfigMapRef.Name)
		}
		if f.SecretRef != nil {
			secrets = append(secrets, f.SecretRef.Name)
		}
	}
	for _, e := range env {
		if e.ValueFrom == nil {
			continue
		}
		if ref := e.ValueFrom.ConfigMapKeyRef; ref != nil {
			configMaps = append(configMaps, ref.Name)
		}
		if ref := e.ValueFrom.SecretKeyRef; ref != nil {
			secrets = append(secrets, ref.Name)
		}
	}
	return configMaps, secrets
}
