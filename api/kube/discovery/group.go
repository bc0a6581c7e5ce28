package discovery

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/usermetric"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/metric"
	"github.com/rowlock/rowlock/internal/registry"
)

// group is an API group with its versions, in the catalogue's order; the first version is the
// preferred one.
type group struct {
	name     string
	versions []groupVersion
}

// groupVersion is one version of a group.
type groupVersion struct {
	name  string
	kinds []*kind.Kind
	// measured is true if the resources are metrics, which come and go with their values.
	measured bool
}

// groupOrder is the order in which clients look for a resource without a group. Other groups follow
// in the catalogue's order.
//
// Source: kubernetes v1.36 pkg/controlplane/apiserver/aggregator.go, DefaultGenericAPIServicePriorities, and
// cmd/kube-apiserver/app/aggregator.go, apiVersionPriorities
var groupOrder = []string{
	"", "apiregistration.k8s.io", "apps", "events.k8s.io", "authentication.k8s.io", "authorization.k8s.io", "autoscaling", "batch",
	"certificates.k8s.io", "networking.k8s.io", "policy", "rbac.authorization.k8s.io", "storage.k8s.io", "admissionregistration.k8s.io",
	"apiextensions.k8s.io", "scheduling.k8s.io", "coordination.k8s.io", "node.k8s.io", "discovery.k8s.io", "resource.k8s.io",
	"flowcontrol.apiserver.k8s.io",
}

// groupsOf arranges the catalogue's kinds by group and version. It includes the group of evictions,
// which has no stored kind, because clients look for it to find out whether evictions are
// supported.
func groupsOf(c *kind.Catalogue) []group {
	var out []group
	for _, k := range c.All() {
		if k.Custom != nil && !k.Custom.Established {
			continue
		}
		i := slices.IndexFunc(out, func(g group) bool { return g.name == k.Group })
		if i < 0 {
			i = len(out)
			out = append(out, group{name: k.Group})
		}
		g := &out[i]
		j := slices.IndexFunc(g.versions, func(v groupVersion) bool { return v.name == k.Version })
		if j < 0 {
			j = len(g.versions)
			g.versions = append(g.versions, groupVersion{name: k.Version})
		}
		g.versions[j].kinds = append(g.versions[j].kinds, k)
	}
	if evicts := c.ByResource("pods") != nil; evicts && !slices.ContainsFunc(out, func(g group) bool { return g.name == wire.EvictionKind.Group }) {
		out = append(out, group{name: wire.EvictionKind.Group, versions: []groupVersion{{name: wire.EvictionKind.Version}}})
	}
	if c.ByResource(metric.Resource) != nil {
		for _, g := range usermetric.Groups {
			measured := group{name: g.Name}
			for _, v := range g.Versions {
				measured.versions = append(measured.versions, groupVersion{name: v, measured: true})
			}
			out = append(out, measured)
		}
	}
	place := func(g group) int {
		if i := slices.Index(groupOrder, g.name); i >= 0 {
			return i
		}
		if g.custom() {
			return len(groupOrder) + 1
		}
		return len(groupOrder)
	}
	slices.SortStableFunc(out, func(a, b group) int {
		if at := place(a) - place(b); at != 0 || !a.custom() {
			return at
		}
		return strings.Compare(a.name, b.name)
	})
	for _, g := range out {
		if g.custom() {
			slices.SortFunc(g.versions, func(a, b groupVersion) int { return version.CompareKubeAwareVersionStrings(b.name, a.name) })
		}
	}
	return out
}

// custom reports whether the group has only kinds defined by CustomResourceDefinitions.
func (g group) custom() bool {
	return !slices.ContainsFunc(g.versions, func(v groupVersion) bool {
		return v.measured || len(v.kinds) == 0 || slices.ContainsFunc(v.kinds, func(k *kind.Kind) bool { return k.Custom == nil })
	})
}

// served is one path of a resource in discovery.
type served struct {
	name  string // the subresource's, "" for the resource itself
	kind  schema.GroupVersionKind
	verbs []string
}

// subresources returns the subresources of a kind by name.
func subresources(k *kind.Kind) []served {
	own := k.GroupVersionKind()
	var out []served
	if k.Status != nil {
		out = append(out, served{"status", own, []string{"get", "patch", "update"}})
	}
	if k.Scale != nil {
		out = append(out, served{"scale", registry.ScaleKind, []string{"get", "patch", "update"}})
	}
	for _, name := range slices.Sorted(maps.Keys(k.Subresources)) {
		verbs := []string{"get", "patch", "update"}
		if name == "finalize" {
			verbs = []string{"update"}
		}
		out = append(out, served{name, own, verbs})
	}
	if route.HasProxy(k.Resource()) {
		out = append(out, served{"proxy", route.ProxyKind(k), []string{"create", "delete", "get", "patch", "update"}})
	}
	if k.Resource() == "serviceaccounts" {
		out = append(out, served{"token", wire.TokenRequestKind, []string{"create"}})
	}
	if k.Resource() == "pods" {
		out = append(out,
			served{"attach", k.GroupVersion().WithKind("PodAttachOptions"), []string{"create", "get"}},
			served{"exec", k.GroupVersion().WithKind("PodExecOptions"), []string{"create", "get"}},
			served{"binding", route.BindingType.GroupVersionKind(), []string{"create"}},
			served{"eviction", wire.EvictionKind, []string{"create"}}, served{"log", own, []string{"get"}},
			served{"portforward", k.GroupVersion().WithKind("PodPortForwardOptions"), []string{"create", "get"}})
	}
	slices.SortFunc(out, func(a, b served) int { return strings.Compare(a.name, b.name) })
	return out
}

// verbsOf returns the verbs of a resource: all, with few exceptions.
func verbsOf(k *kind.Kind) []string {
	switch {
	case k.Answer != nil:
		return []string{"create"}
	case k.Derived != nil:
		return []string{"get", "list"}
	case k.Custom != nil && k.Custom.Terminating:
		return []string{"delete", "deletecollection", "get", "list", "watch"}
	case k.Custom != nil:
		return []string{"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"}
	}
	if k.OneByOne {
		return []string{"create", "delete", "get", "list", "patch", "update", "watch"}
	}
	if k.Resource() == "namespaces" {
		return []string{"create", "delete", "get", "list", "patch", "update", "watch"}
	}
	return []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
}

// legacy returns the version's resources as one list. Bindings belong to the version that has Pods.
func (v groupVersion) legacy(group string) *metav1.APIResourceList {
	gv := schema.GroupVersion{Group: group, Version: v.name}
	list := &metav1.APIResourceList{
		TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: gv.String(), APIResources: []metav1.APIResource{},
	}
	if group == "" {
		list.APIVersion = "" // as older clients expect it
	}
	add := func(r metav1.APIResource) { list.APIResources = append(list.APIResources, r) }
	for _, k := range v.kinds {
		add(metav1.APIResource{
			Name: k.Plural, SingularName: k.Singular, Namespaced: k.Namespaced, Kind: k.Kind, Verbs: verbsOf(k),
			ShortNames: k.ShortNames, Categories: k.Categories, StorageVersionHash: storageHash(k),
		})
		for _, s := range subresources(k) {
			r := metav1.APIResource{Name: k.Plural + "/" + s.name, Namespaced: k.Namespaced, Kind: s.kind.Kind, Verbs: s.verbs}
			if s.kind.GroupVersion() != gv {
				r.Group, r.Version = s.kind.Group, s.kind.Version
			}
			add(r)
		}
		if k.Resource() == "pods" {
			add(metav1.APIResource{Name: route.BindingType.Plural, SingularName: "binding", Namespaced: true, Kind: route.BindingType.Kind, Verbs: []string{"create"}})
		}
	}
	slices.SortFunc(list.APIResources, func(a, b metav1.APIResource) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// storageHash lets clients detect whether two resources are stored as the same objects; "" if
// nothing is stored.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/discovery/storageversionhash.go
func storageHash(k *kind.Kind) string {
	if k.Answer != nil || k.Derived != nil {
		return ""
	}
	stored := k
	if k.Stored != nil {
		stored = k.Stored.Kind
	}
	sum := sha256.Sum256([]byte(stored.Group + "/" + stored.Version + "/" + stored.Kind))
	return base64.StdEncoding.EncodeToString(sum[:8])
}

// legacy returns the group with its versions, the preferred one first.
func (g group) legacy() metav1.APIGroup {
	out := metav1.APIGroup{TypeMeta: metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}, Name: g.name}
	for _, v := range g.versions {
		gv := schema.GroupVersion{Group: g.name, Version: v.name}
		out.Versions = append(out.Versions, metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: v.name})
	}
	out.PreferredVersion = out.Versions[0]
	return out
}

// coreVersions returns the document at /api.
func coreVersions(core []group) *metav1.APIVersions {
	out := &metav1.APIVersions{
		TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, ServerAddressByClientCIDRs: []metav1.ServerAddressByClientCIDR{},
	}
	for _, g := range core {
		for _, v := range g.versions {
			out.Versions = append(out.Versions, v.name)
		}
	}
	return out
}

// groupList returns the document at /apis.
func groupList(named []group) *metav1.APIGroupList {
	out := &metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: []metav1.APIGroup{}}
	for _, g := range named {
		legacy := g.legacy()
		legacy.TypeMeta = metav1.TypeMeta{}
		out.Groups = append(out.Groups, legacy)
	}
	return out
}

// aggregated returns one document with everything in the groups.
func aggregated(groups []group) *apidiscovery.APIGroupDiscoveryList {
	out := &apidiscovery.APIGroupDiscoveryList{
		TypeMeta: metav1.TypeMeta{Kind: "APIGroupDiscoveryList", APIVersion: apidiscovery.SchemeGroupVersion.String()},
		Items:    []apidiscovery.APIGroupDiscovery{},
	}
	for _, g := range groups {
		item := apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: g.name}}
		for _, v := range g.versions {
			item.Versions = append(item.Versions, v.aggregated(g.name))
		}
		out.Items = append(out.Items, item)
	}
	return out
}

func (v groupVersion) aggregated(group string) apidiscovery.APIVersionDiscovery {
	out := apidiscovery.APIVersionDiscovery{Version: v.name, Freshness: apidiscovery.DiscoveryFreshnessCurrent}
	// a response kind of the same version is named without group and version
	metaKind := func(gvk schema.GroupVersionKind) *metav1.GroupVersionKind {
		if gvk.Group == group && gvk.Version == v.name {
			return &metav1.GroupVersionKind{Kind: gvk.Kind}
		}
		return &metav1.GroupVersionKind{Group: gvk.Group, Version: gvk.Version, Kind: gvk.Kind}
	}
	for _, k := range v.kinds {
		r := apidiscovery.APIResourceDiscovery{
			Resource: k.Plural, ResponseKind: metaKind(k.GroupVersionKind()), Scope: apidiscovery.ScopeCluster,
			SingularResource: k.Singular, Verbs: verbsOf(k), ShortNames: k.ShortNames, Categories: k.Categories,
		}
		if k.Namespaced {
			r.Scope = apidiscovery.ScopeNamespace
		}
		for _, s := range subresources(k) {
			r.Subresources = append(r.Subresources, apidiscovery.APISubresourceDiscovery{Subresource: s.name, ResponseKind: metaKind(s.kind), Verbs: s.verbs})
		}
		out.Resources = append(out.Resources, r)
		if k.Resource() == "pods" {
			out.Resources = append(out.Resources, apidiscovery.APIResourceDiscovery{
				Resource: route.BindingType.Plural, ResponseKind: metaKind(route.BindingType.GroupVersionKind()), Scope: apidiscovery.ScopeNamespace,
				SingularResource: "binding", Verbs: []string{"create"},
			})
		}
	}
	slices.SortFunc(out.Resources, func(a, b apidiscovery.APIResourceDiscovery) int { return strings.Compare(a.Resource, b.Resource) })
	return out
}
