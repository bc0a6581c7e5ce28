package openapi

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const gvkExtension = "x-kubernetes-group-version-kind"

// extensions lists the kinds that a schema documents; nil for none.
func extensions(kinds []schema.GroupVersionKind) spec.Extensions {
	if len(kinds) == 0 {
		return nil
	}
	all := make([]any, len(kinds))
	for i, gvk := range kinds {
		all[i] = gvkJSON(gvk)
	}
	return spec.Extensions{gvkExtension: all}
}

func gvkJSON(gvk schema.GroupVersionKind) map[string]any {
	return map[string]any{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind}
}
