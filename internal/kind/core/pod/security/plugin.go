package security

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// PluginName is the name of the plugin PodSecurity: a namespace's labels say which Pod Security
// Standards its Pods must meet, and which violations only cause warnings. The standards themselves,
// in all versions, are upstream's code.
//
// Source: kubernetes v1.36 staging/src/k8s.io/pod-security-admission/admission/admission.go
//
// Differs: there is no audit log, so labels of the mode audit are validated but have no effect.
const PluginName = "PodSecurity"

var (
	// Pods rejects Pods that violate the enforced level, and warns about others.
	Pods = kind.Plugin{
		Name: PluginName, Waits: true,
		Validate: func(next object.Object, c kind.Cluster) error { return denyByPodSecurity(next.(*corev1.Pod), c) },
		ValidateUpdate: func(next, old object.Object, c kind.Cluster) error {
			if p := next.(*corev1.Pod); changesImages(p, old.(*corev1.Pod)) {
				return denyByPodSecurity(p, c)
			}
			return nil
		},
		Warn: func(next, old object.Object, c kind.Cluster) []string {
			p := next.(*corev1.Pod)
			if old != nil && !changesImages(p, old.(*corev1.Pod)) {
				return nil
			}
			return warnByPodSecurity(&p.ObjectMeta, &p.Spec, p.Namespace, c)
		},
	}

	// Namespaces validates the labels of namespaces.
	Namespaces = kind.Plugin{
		Name: PluginName,
		Validate: func(next object.Object, _ kind.Cluster) error {
			return denySecurityLabels(next.(*corev1.Namespace), nil)
		},
		ValidateUpdate: func(next, old object.Object, _ kind.Cluster) error {
			return denySecurityLabels(next.(*corev1.Namespace), old.(*corev1.Namespace))
		},
		Warn: warnOfPodsWithin,
	}
)

// Templates warns about the Pods that a workload of one kind would create. It rejects nothing,
// because the Pods will be rejected.
func Templates[T object.Object](template func(T) *corev1.PodTemplateSpec) []kind.Plugin {
	return []kind.Plugin{{Name: PluginName, Warn: func(next, _ object.Object, c kind.Cluster) []string {
		t := template(next.(T))
		if t == nil {
			return nil
		}
		return warnByPodSecurity(&t.ObjectMeta, &t.Spec, next.GetNamespace(), c)
	}}}
}
