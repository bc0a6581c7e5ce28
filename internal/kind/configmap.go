package kind

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/internal/object"
)

// ConfigMap is core/v1 ConfigMap.
var ConfigMap = &Kind{
	Type: object.Type{
		Version: "v1", Kind: "ConfigMap", Plural: "configmaps", Namespaced: true,
		New: func() object.Object { return &corev1.ConfigMap{} },
	},
	Singular:   "configmap",
	ShortNames: []string{"cm"},
	NewList:    func() runtime.Object { return &corev1.ConfigMapList{} },
}
