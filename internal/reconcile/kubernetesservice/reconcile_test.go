package kubernetesservice_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubernetesservice"
)

func TestReconcile(t *testing.T) {
	t.Parallel()
	now := metav1.Now()
	tests := []struct {
		name      string
		namespace metav1.ObjectMeta
		exists    bool
		want      string
	}{
		{"missing in default", metav1.ObjectMeta{Name: "default"}, false, "create Service default/kubernetes\n"},
		{"there", metav1.ObjectMeta{Name: "default"}, true, ""},
		{"another namespace", metav1.ObjectMeta{Name: "other"}, false, ""},
		{"a namespace that goes", metav1.ObjectMeta{Name: "default", DeletionTimestamp: &now}, false, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := kubernetesservice.Snapshot{Namespace: &corev1.Namespace{ObjectMeta: test.namespace}, Exists: test.exists}
			if got := kubernetesservice.Reconcile(s).String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
