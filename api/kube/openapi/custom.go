package openapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/schemamutation"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/rowlock/rowlock/internal/customresource"
)

// customDefinitions returns the schemas of the custom resources in kinds, and adds their names to
// n.
func customDefinitions(kinds []Served, n *names, format customresource.Format) (map[string]common.OpenAPIDefinition, error) {
	all := map[string]common.OpenAPIDefinition{}
	for _, s := range kinds {
		if s.Custom == nil {
			continue
		}
		object, list, err := s.Custom.Models(format)
		if err != nil {
			return nil, err
		}
		gv := s.GVK.GroupVersion()
		name, listName := customresource.ModelName(s.GVK), customresource.ModelName(gv.WithKind(s.Custom.ListKind))
		n.models[s.GVK], n.models[gv.WithKind(s.GVK.Kind+"List")] = model(name), model(listName)
		all[name] = common.OpenAPIDefinition{Schema: *object, Dependencies: references(object)}
		all[listName] = common.OpenAPIDefinition{Schema: *list, Dependencies: references(list)}
	}
	return all, nil
}

// references returns the names of the schemas that a schema references.
func references(s *spec.Schema) (names []string) {
	collect := schemamutation.Walker{SchemaCallback: schemamutation.SchemaCallBackNoop, RefCallback: func(ref *spec.Ref) *spec.Ref {
		if ref.String() != "" {
			names = append(names, ref.String()[strings.LastIndexByte(ref.String(), '/')+1:])
		}
		return ref
	}}
	collect.WalkSchema(s)
	slices.Sort(names)
	return slices.Compact(names)
}

// Custom serves the documents of built-in kinds and of custom resources.
type Custom struct {
	builtin []Served
	others  *handler
	defined Defined

	now, past atomic.Pointer[customDocuments] // the latest requested ones
	mu        sync.Mutex
	known     map[string]keyed // current documents, by path
}

// Defined returns the custom resources at the revision that a request asks for, and a value that
// identifies this state. If it cannot, it answers the request itself and returns false.
type Defined func(http.ResponseWriter, *http.Request) (state any, kinds []Served, ok bool)

// keyed is a document that is valid as long as its key.
type keyed struct {
	key string
	*listed
}

// customDocuments holds the documents of one state.
type customDocuments struct {
	state any
	handler
}

// NewCustom returns a handler for the documents of the built-in kinds, from a handler returned by
// Handler, and of custom resources. Requests with resourceVersion and resourceVersionMatch=Exact
// get that revision's. Documents are built on demand and kept until they change. It is safe for
// concurrent use.
func NewCustom(builtin []Served, others http.Handler, defined Defined) *Custom {
	return &Custom{builtin: builtin, others: others.(*handler), defined: defined, known: map[string]keyed{}}
}

// ServeHTTP serves the documents of the requested revision.
func (c *Custom) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	state, kinds, ok := c.defined(w, r)
	switch {
	case !ok:
		return
	case len(kinds) == 0:
		c.others.ServeHTTP(w, r)
		return
	}
	latest, keep := &c.now, true
	if d := c.now.Load(); exactly(r) != "" && (d == nil || d.state != state) {
		latest, keep = &c.past, false
	}
	d := latest.Load()
	if d == nil || d.state != state {
		d = &customDocuments{state: state, handler: handler{
			v2: sync.OnceValues(func() (*document, error) {
				rendered, err := buildV2(slices.Concat(c.builtin, kinds))
				if err != nil {
					return nil, err
				}
				return newDocument(rendered, protobufV2)
			}),
			v3: sync.OnceValues(func() (*documents, error) { return c.documents(kinds, keep) }),
		}}
		latest.Store(d)
	}
	d.ServeHTTP(w, r)
}

// documents adds the documents of custom resources to the others. If keep is set, the next call
// reuses those that do not change.
func (c *Custom) documents(kinds []Served, keep bool) (*documents, error) {
	others, err := c.others.v3()
	if err != nil {
		return nil, err
	}
	keys, byPath := map[string]string{}, map[string][]Served{}
	for _, s := range kinds {
		path := groupVersionPath(s.GVK.GroupVersion())
		keys[path] += s.Custom.Key + " "
		byPath[path] = append(byPath[path], s)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known := make(map[string]keyed, len(keys))
	all := &documents{byPath: maps.Clone(others.byPath)}
	for path, key := range keys {
		d, ok := c.known[path]
		if !ok || d.key != key {
			if d, err = c.document(path, key, byPath[path]); err != nil {
				return nil, err
			}
		}
		known[path], all.byPath[path] = d, d.listed
	}
	if keep {
		c.known = known
	}
	all.index, err = all.indexAt("")
	return all, err
}

// document returns the document of a path with custom resources, which may also have built-in
// kinds.
func (c *Custom) document(path, key string, kinds []Served) (keyed, error) {
	for _, s := range c.builtin {
		if groupVersionPath(s.GVK.GroupVersion()) == path {
			kinds = append(kinds, s)
		}
	}
	b, err := newBuilderV3(kinds)
	if err != nil {
		return keyed{}, err
	}
	rendered, err := b.render(path)
	if err != nil {
		return keyed{}, err
	}
	return keyed{key, newListed(kinds, path, etagOf(rendered))}, nil
}
