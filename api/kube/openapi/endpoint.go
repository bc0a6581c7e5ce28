package openapi

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/common"
)

// endpoint holds what the operations of a resource or a subresource have in common.
type endpoint struct {
	gv   schema.GroupVersion     // the group version that serves it
	kind string                  // the resource's kind, for a subresource too
	sub  string                  // the subresource's name, "" for the resource itself
	gvk  schema.GroupVersionKind // the kind of the bodies

	collection, item string             // paths; a subresource has no collection
	parent           []common.Parameter // path parameters of the collection
	named            []common.Parameter // path parameters of the item
	namespaced       bool
	everywhere       string // the path of the list of all namespaces, "" if not namespaced

	object, list   model
	watchable      bool
	returnsDeleted bool
	custom         bool // a custom resource, which has no strategic merge patches
	options        any
	text           bool
	methods        []string // of connect
	withPath       bool
}

func newEndpoint(s Served, n *names) (*endpoint, error) {
	gv := s.GVK.GroupVersion()
	e := &endpoint{
		gv: gv, kind: s.GVK.Kind, gvk: s.GVK, namespaced: s.Namespaced,
		collection: "/" + groupVersionPath(gv) + "/" + s.Plural,
		watchable:  slices.Contains(s.Verbs, "watch"), returnsDeleted: s.ReturnsDeleted, custom: s.Custom != nil,
	}
	if s.Namespaced {
		e.everywhere = e.collection
		e.collection = "/" + groupVersionPath(gv) + "/namespaces/{namespace}/" + s.Plural
		e.parent = []common.Parameter{namespaceParameter}
	}
	e.item = e.collection + "/{name}"
	e.named = append(slices.Clone(e.parent), nameParameter(s.GVK.Kind))
	var err error
	if e.object, err = n.model(s.GVK); err != nil {
		return nil, err
	}
	if slices.Contains(s.Verbs, "list") {
		e.list, err = n.model(gv.WithKind(s.GVK.Kind + "List"))
	}
	return e, err
}

// subresource returns the endpoint of a subresource.
func (e *endpoint) subresource(sub Subresource, n *names) (*endpoint, error) {
	s := *e
	s.sub, s.item, s.options, s.text = sub.Name, e.item+"/"+sub.Name, sub.Options, sub.Text
	if s.methods, s.withPath = sub.Methods, sub.WithPath; s.methods == nil {
		s.methods = []string{"GET", "POST"}
	}
	if sub.GVK.Empty() {
		return &s, nil
	}
	if !e.custom { // the scale of a custom resource is documented as its own kind
		s.gvk = sub.GVK
		s.named = append(slices.Clone(e.parent), nameParameter(sub.GVK.Kind))
	}
	var err error
	s.object, err = n.model(sub.GVK)
	return &s, err
}

// operation starts the route of one action. verb and noun form its ID: "read" and
// "NamespacedPodLog" become "readCoreV1NamespacedPodLog".
func (e *endpoint) operation(method, path, action, verb, noun string) *route {
	consumes, produces := []string{"*/*"}, objectTypes()
	if e.custom {
		consumes, produces = textTypes(), textTypes()
	}
	return &route{
		method: method, path: path,
		id:         verb + groupVersionID(e.gv) + noun,
		tag:        groupVersionTag(e.gv),
		consumes:   consumes,
		produces:   produces,
		parameters: []common.Parameter{prettyParameter},
		extensions: map[string]any{gvkExtension: gvkJSON(e.gvk), "x-kubernetes-action": action},
	}
}

// noun returns "NamespacedPodLog" or "Node".
func (e *endpoint) noun() string {
	noun := e.kind + upperFirst(e.sub)
	if e.namespaced {
		return "Namespaced" + noun
	}
	return noun
}
