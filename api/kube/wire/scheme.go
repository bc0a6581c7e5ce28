package wire

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/registry"
)

// EvictionKind is posted to a Pod's eviction and never stored. Its older form, evictionBeta, has
// the same fields.
var (
	EvictionKind = policyv1.SchemeGroupVersion.WithKind("Eviction")
	evictionBeta = schema.GroupVersionKind{Group: EvictionKind.Group, Version: "v1beta1", Kind: EvictionKind.Kind}
)

// NewScheme returns a scheme of every type that a body may have: the catalogue's kinds, the kinds
// of subresources, and the options of a DELETE, which clients send in any group.
func NewScheme(c *kind.Catalogue) *runtime.Scheme {
	scheme := runtime.NewScheme()
	options := func(gv schema.GroupVersion) {
		scheme.AddKnownTypes(gv, &metav1.DeleteOptions{}, &metav1.CreateOptions{}, &metav1.UpdateOptions{}, &metav1.PatchOptions{})
	}
	options(metav1.SchemeGroupVersion)
	known := map[schema.GroupVersion]bool{metav1.SchemeGroupVersion: true}
	add := func(gvk schema.GroupVersionKind, o runtime.Object) {
		scheme.AddKnownTypeWithName(gvk, o)
		if gv := gvk.GroupVersion(); !known[gv] {
			known[gv] = true
			options(gv)
		}
	}
	for _, k := range c.All() {
		add(k.GroupVersionKind(), k.New())
		if k.NewList != nil {
			add(k.GroupVersion().WithKind(k.Kind+"List"), k.NewList())
		}
	}
	add(registry.ScaleKind, &autoscalingv1.Scale{})
	add(corev1.SchemeGroupVersion.WithKind("Binding"), &corev1.Binding{})
	add(EvictionKind, &policyv1.Eviction{})
	add(evictionBeta, &policyv1.Eviction{})
	add(TokenRequestKind, &authenticationv1.TokenRequest{})
	return scheme
}

// TokenRequestKind is posted to a ServiceAccount's token and never stored.
var TokenRequestKind = authenticationv1.SchemeGroupVersion.WithKind("TokenRequest")
