package kube

import (
	"github.com/rowlock/rowlock/api/kube/openapi"
	"github.com/rowlock/rowlock/internal/kind"
)

// Served is the catalogue as Kubernetes' OpenAPI documents describe it.
func Served(c *kind.Catalogue) []openapi.Served {
	var out []openapi.Served
	for _, k := range c.All() {
		s := openapi.Served{
			GVK: k.GroupVersionKind(), Plural: k.Plural, Namespaced: k.Namespaced, Verbs: verbsOf(k),
			ReturnsDeleted: k.Stored == nil && returnsDeleted[k.Resource()],
		}
		for _, sub := range subresources(k) {
			s.Subresources = append(s.Subresources, openapi.Subresource{Name: sub.name, GVK: sub.kind, Verbs: sub.verbs})
		}
		out = append(out, s)
		if k.Resource() == "pods" {
			out = append(out, openapi.Served{
				GVK: bindingType.GroupVersionKind(), Plural: bindingType.Plural, Namespaced: true, Verbs: []string{"create"},
			})
		}
	}
	return out
}
