package podtemplate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
)

func TestRS007_NewPod(t *testing.T) {
	t.Parallel()
	owner := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "rs-uid"}}
	ref := *metav1.NewControllerRef(owner, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))
	template := &corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Name:        "ignored",
			Labels:      map[string]string{"app": "web"},
			Annotations: map[string]string{"note": "kept"},
			Finalizers:  []string{"example.com/hold"},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
	}
	got := podtemplate.NewPod(template, owner, ref)
	yes := true
	want := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:    "shop",
			GenerateName: "web-",
			Labels:       map[string]string{"app": "web"},
			Annotations:  map[string]string{"note": "kept"},
			Finalizers:   []string{"example.com/hold"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "rs-uid",
				Controller: &yes, BlockOwnerDeletion: &yes}},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("pod (-want +got):\n%s", d)
	}
	got.Labels["app"], got.Finalizers[0], got.Spec.Containers[0].Image = "x", "x", "x"
	if template.Labels["app"] != "web" || template.Finalizers[0] == "x" || template.Spec.Containers[0].Image != "nginx" {
		t.Error("the Pod shares memory with the template")
	}
}

func TestGenerateName(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("a", 253)
	for _, row := range []struct{ name, owner, want string }{
		{"a dash is added", "web", "web-"},
		{"the longest name, whose suffix the name generator makes room for", longest, longest + "-"},
		{"a name that no dash makes valid", "we_b", "we_b"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := podtemplate.GenerateName(row.owner); got != row.want {
				t.Errorf("GenerateName = %q, want %q", got, row.want)
			}
		})
	}
}
