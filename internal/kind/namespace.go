package kind

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/internal/object"
)

// Namespace is core/v1 Namespace.
var Namespace = &Kind{
	Type: object.Type{
		Version: "v1", Kind: "Namespace", Plural: "namespaces",
		New: func() object.Object { return &corev1.Namespace{} },
	},
	Singular:   "namespace",
	ShortNames: []string{"ns"},
	NewList:    func() runtime.Object { return &corev1.NamespaceList{} },
}
