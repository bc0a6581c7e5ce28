package kube

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/registry"
)

// newScheme knows every type that a body may be: the catalogue's kinds, the kinds of subresources,
// and the options of a DELETE, which clients send in any group.
func newScheme(c *kind.Catalogue) *runtime.Scheme {
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
	add(evictionKind, &policyv1.Eviction{})
	add(evictionBeta, &policyv1.Eviction{})
	add(tokenRequestKind, &authenticationv1.TokenRequest{})
	return scheme
}

// format decodes bodies of one media type.
type format struct {
	media           string
	lenient, strict runtime.Decoder
}

// formats are the media types of requests' bodies.
type formats struct{ json, yaml, protobuf format }

func newFormats(scheme *runtime.Scheme) formats {
	decoder := func(yaml, strict bool) runtime.Decoder {
		return json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: yaml, Strict: strict})
	}
	// Unknown fields of a protobuf body cannot be told from those of a newer version, so nothing is
	// strict there.
	proto := protobuf.NewSerializer(scheme, scheme)
	return formats{
		protobuf: format{mediaProtobuf, proto, proto},
		json:     format{mediaJSON, decoder(false, false), decoder(false, true)},
		yaml:     format{mediaYAML, decoder(true, false), decoder(true, true)},
	}
}
