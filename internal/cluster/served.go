package cluster

import (
	"github.com/rowlock/rowlock/api/kube/openapi"
	"github.com/rowlock/rowlock/internal/kind"
)

// returnsDeleted are the resources whose DELETE answers with the object instead of a Status.
// Source: kubernetes v1.36 pkg/registry/core, ReturnDeletedObject.
var returnsDeleted = map[string]bool{"pods": true, "serviceaccounts": true}

// served describes the catalogue to the OpenAPI documents.
func served(kinds *kind.Catalogue) []openapi.Served {
	var out []openapi.Served
	for _, k := range kinds.All() {
		s := openapi.Served{
			GVK: k.GroupVersionKind(), Plural: k.Plural, Namespaced: k.Namespaced,
			Verbs: openapi.StandardVerbs(), ReturnsDeleted: returnsDeleted[k.Resource()],
		}
		if k.Status != nil {
			s.Subresources = append(s.Subresources, openapi.Status())
		}
		if k.Scale != nil {
			s.Subresources = append(s.Subresources, openapi.Scale())
		}
		out = append(out, s)
	}
	return out
}
