package kindtest

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Account returns a ServiceAccount in the namespace "default".
func Account(name string, shape ...func(*corev1.ServiceAccount)) *corev1.ServiceAccount {
	sa := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}}
	for _, f := range shape {
		f(sa)
	}
	return sa
}

// Template returns a valid Pod template with the labels, not defaulted.
func Template(labels map[string]string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: labels},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "nginx", Image: "nginx:1.14.2"}}},
	}
}

// Quantities parses "cpu=100m memory=1Gi"; nil for "".
func Quantities(text string) corev1.ResourceList {
	var list corev1.ResourceList
	for _, word := range strings.Fields(text) {
		name, quantity, _ := strings.Cut(word, "=")
		if list == nil {
			list = corev1.ResourceList{}
		}
		list[corev1.ResourceName(name)] = resource.MustParse(quantity)
	}
	return list
}

// BarePod returns a Pod with only the required fields.
func BarePod() *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "8c3e", ResourceVersion: "1", Labels: map[string]string{"a": "b"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "busybox"}}},
	}
}
