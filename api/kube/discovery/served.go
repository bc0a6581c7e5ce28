package discovery

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/api/kube/openapi"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/internal/kind"
)

// Served returns the catalogue in the form that the OpenAPI documents need.
func Served(c *kind.Catalogue) []openapi.Served {
	var out []openapi.Served
	for _, k := range c.All() {
		if k.Custom != nil && !k.Custom.Established {
			continue
		}
		s := openapi.Served{
			GVK: k.GroupVersionKind(), Plural: k.Plural, Namespaced: k.Namespaced, Verbs: verbsOf(k),
			// upstream's documents do not have it for namespaces
			ReturnsDeleted: k.Stored == nil && route.ReturnsDeleted[k.Resource()] && !k.OneByOne,
		}
		if k.Custom != nil {
			s.Custom = k.Custom.Documented
		}
		for _, sub := range subresources(k) {
			described := openapi.Subresource{Name: sub.name, GVK: sub.kind, Verbs: sub.verbs}
			switch sub.name {
			case "log":
				described.Options, described.Text = &corev1.PodLogOptions{}, true
			case "attach":
				described.Verbs, described.Options = []string{"connect"}, &corev1.PodAttachOptions{}
			case "exec":
				described.Verbs, described.Options = []string{"connect"}, &corev1.PodExecOptions{}
			case "portforward":
				described.Verbs, described.Options = []string{"connect"}, &corev1.PodPortForwardOptions{}
			case "proxy":
				described.Verbs, described.Methods, described.WithPath = []string{"connect"}, route.ProxyMethods, true
				described.Options = route.ProxyOptions[k.Resource()]
			}
			s.Subresources = append(s.Subresources, described)
		}
		out = append(out, s)
		if k.Resource() == "pods" {
			out = append(out, openapi.Served{
				GVK: route.BindingType.GroupVersionKind(), Plural: route.BindingType.Plural, Namespaced: true, Verbs: []string{"create"},
			})
		}
	}
	return out
}
