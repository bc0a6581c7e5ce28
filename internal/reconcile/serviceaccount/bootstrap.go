package serviceaccount

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Bootstrap is the initial namespaces of a new cluster, as the API would store them: each call
// makes new ones.
// Source: kubernetes v1.36 pkg/controlplane/controller/systemnamespaces/system_namespaces_controller.go.
func Bootstrap() []*corev1.Namespace {
	var namespaces []*corev1.Namespace
	for _, name := range []string{
		metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease,
	} {
		namespaces = append(namespaces, &corev1.Namespace{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}},
			Spec:       corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{corev1.FinalizerKubernetes}},
			Status:     corev1.NamespaceStatus{Phase: corev1.NamespaceActive},
		})
	}
	return namespaces
}
