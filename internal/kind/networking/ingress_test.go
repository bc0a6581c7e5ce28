package networking_test

import (
	"testing"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/networking"
)

func ingressClass(name string, minute int, isDefault string) *networkingv1.IngressClass {
	return &networkingv1.IngressClass{ObjectMeta: metav1.ObjectMeta{
		Name: name, CreationTimestamp: metav1.NewTime(kindtest.Now.Add(time.Duration(minute) * time.Minute)),
		Annotations: map[string]string{networkingv1.AnnotationIsDefaultIngressClass: isDefault},
	}}
}

func TestIngress_GetsTheNewestDefaultClass(t *testing.T) {
	t.Parallel()
	classes := kindtest.Cluster(ingressClass("a", 1, "true"), ingressClass("b", 2, "true"), ingressClass("c", 2, "true"), ingressClass("d", 3, "false"))
	for name, c := range map[string]struct {
		class       *string
		annotations map[string]string
		in          kind.Cluster
		want        *string
	}{
		"none":      {in: kindtest.Cluster(ingressClass("d", 3, "false"))},
		"newest":    {in: classes, want: new("b")},
		"its own":   {class: new("x"), in: classes, want: new("x")},
		"annotated": {annotations: map[string]string{"kubernetes.io/ingress.class": "x"}, in: classes},
	} {
		in := &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Annotations: c.annotations}, Spec: networkingv1.IngressSpec{IngressClassName: c.class}}
		if err := kindtest.Admit(networking.Ingress, in, c.in); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		kindtest.Diff(t, c.want, in.Spec.IngressClassName)
	}
}
