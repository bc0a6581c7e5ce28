package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/kube/render"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// customPatchTypes are the supported media types of patches of custom resources.
var customPatchTypes = []string{string(types.JSONPatchType), string(types.MergePatchType), string(types.ApplyYAMLPatchType)}

// readPatch reads a request's patch and its options.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, ServeHTTP, supportedTypes
func (r *resource) readPatch(w http.ResponseWriter, req *http.Request) (*patch, error) {
	if r.Kind.Custom != nil && !slices.Contains(customPatchTypes, string(patchType(req))) {
		return nil, wire.UnsupportedMediaType(customPatchTypes)
	}
	return readPatch(w, req)
}

// decodeCustom decodes a body into a custom resource, and applies its schema. Unknown and duplicate
// fields are ignored, cause warnings, or are rejected, depending on directive, the value of
// fieldValidation; "" means Warn.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, schemaCoercingDecoder.Decode
func (r *resource) decodeCustom(w http.ResponseWriter, body []byte, f wire.Format, directive string, into *unstructured.Unstructured) error {
	gvk := r.Kind.GroupVersionKind()
	got, strict, err := wire.DecodeInto(body, f, directive, gvk, into)
	if err != nil {
		return err
	}
	unknown, err := r.Kind.Custom.Admit(into, directive != metav1.FieldValidationIgnore)
	if err != nil {
		return wire.DecodeError(err, got, gvk.Kind, body)
	}
	if len(strict) > 0 && directive == metav1.FieldValidationStrict && got.Version == "" {
		return apierrors.NewBadRequest(runtime.NewMissingVersionErr("object has no apiVersion field").Error())
	}
	if err := wire.JudgeStrict(w, append(strict, asErrors(unknown)...), directive, got, gvk.Kind, body); err != nil {
		return err
	}
	return wire.CheckVersion(*got, gvk)
}

func asErrors(texts []string) (errs []error) {
	for _, text := range texts {
		errs = append(errs, errors.New(text))
	}
	return errs
}

// admitted applies the schema to a patched custom resource. err is the error of decoding; strict
// errors about unknown fields are added to it.
func (p *patch) admitted(next runtime.Object, err error) error {
	strict, ok := runtime.AsStrictDecodingError(err)
	if err != nil && !ok {
		return err
	}
	unknown, err := p.admit(next.(object.Object))
	if err != nil {
		return err
	}
	all := asErrors(unknown)
	if ok {
		all = append(strict.Errors(), all...)
	}
	if len(all) == 0 {
		return nil
	}
	return runtime.NewStrictDecodingError(all)
}

// sorted returns a JSON object with its fields in order of name, as upstream writes custom
// resources.
func sorted(doc []byte) string {
	var content any
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	if d.Decode(&content) != nil {
		return string(doc)
	}
	out, err := json.Marshal(content)
	if err != nil {
		return string(doc)
	}
	return string(out)
}

// settled reports whether two custom resources differ only in managedFields; live may be nil.
func settled(next, live object.Object) bool {
	a, ok := next.(*unstructured.Unstructured)
	b, was := live.(*unstructured.Unstructured)
	return ok && was && apiequality.Semantic.DeepEqual(render.BareCustom(a), render.BareCustom(b))
}

// ServeCustom serves a request that matches no route, if it is about a custom resource or its
// discovery. It returns false for kinds that are unknown, of another scope, or not served in the
// version.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, ServeHTTP
func (s *Server) ServeCustom(w http.ResponseWriter, req *http.Request) bool {
	about, ok := parseCustom(req)
	if !ok {
		return s.Reader != nil && s.discovery.ServeDefined(w, req)
	}
	r := s.customResource(req, about)
	if r == nil {
		return false
	}
	serve := r.customVerb(about, req.Method)
	req.SetPathValue("namespace", about.namespace)
	req.SetPathValue("name", about.name)
	if err := deprecated(r.Kind, serve)(w, req); err != nil {
		s.writeError(w, req, err)
	}
	return true
}

// customPath is the parsed path of a custom resource. Its parts are still escaped.
type customPath struct {
	group, version, namespace, plural, name, subresource string
	watch                                                bool // the deprecated /watch/
}

func parseCustom(req *http.Request) (about customPath, ok bool) {
	path := req.URL.RawPath
	if path == "" {
		path = req.URL.Path
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(parts) < 4 || parts[0] != "apis" || slices.Contains(parts, "") {
		return about, false
	}
	about.group, about.version, parts = parts[1], parts[2], parts[3:]
	if about.watch = parts[0] == "watch" && len(parts) > 1; about.watch {
		parts = parts[1:]
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		about.namespace, parts = parts[1], parts[2:]
	}
	rest := [3]string{}
	if copy(rest[:], parts) < len(parts) {
		return about, false
	}
	about.plural, about.name, about.subresource = rest[0], rest[1], rest[2]
	return about, !about.watch || about.subresource == ""
}

// customResource returns the resource of a path, or nil. It looks an unknown one up
// again after a consistent read, because another replica may have defined it. An exact read of the
// past uses the definitions of that revision.
func (s *Server) customResource(req *http.Request, about customPath) *resource {
	find := func(c *kind.Catalogue) *kind.Kind {
		k := c.ByGVR(about.group, about.version, about.plural)
		switch {
		case k == nil, k.Custom == nil, k.Internal:
		case !k.Namespaced && about.namespace != "", k.Namespaced && about.namespace == "" && about.name != "":
		default:
			return k
		}
		return nil
	}
	past := s.pastOf(req, about)
	if past != nil {
		k := find(past)
		if k == nil {
			return nil
		}
		return s.resource(k)
	}
	k := find(s.Catalogue)
	if k == nil && s.Catalogue.Builtin().ByGVR(about.group, about.version, about.plural) == nil && s.Reader.Fresh(req.Context()) == nil {
		k = find(s.Catalogue)
	}
	if k == nil {
		return nil
	}
	return s.resource(k)
}

// customVerb returns the verb that serves a method at a path.
func (r *resource) customVerb(about customPath, method string) route.Verb {
	byMethod := map[string]route.Verb{}
	k := r.Kind
	switch {
	case about.watch:
		byMethod[http.MethodGet] = r.watchAll
	case about.name == "":
		byMethod[http.MethodGet] = r.listOrWatch
		if !k.Namespaced || about.namespace != "" {
			byMethod[http.MethodPost], byMethod[http.MethodDelete] = withTimeout(r.create), r.deleteCollection
		}
	case about.subresource == "":
		byMethod[http.MethodGet], byMethod[http.MethodDelete] = r.get, withTimeout(r.delete)
		byMethod[http.MethodPut], byMethod[http.MethodPatch] = withTimeout(r.update(nil)), withTimeout(r.patch(nil))
	case about.subresource == "status" && k.Status != nil:
		byMethod[http.MethodGet], byMethod[http.MethodPut], byMethod[http.MethodPatch] = r.get, withTimeout(r.update(k.Status)), withTimeout(r.patch(k.Status))
	case about.subresource == "scale" && k.Scale != nil:
		byMethod[http.MethodGet], byMethod[http.MethodPut], byMethod[http.MethodPatch] = r.getScale, withTimeout(r.updateScale), withTimeout(r.patchScale)
	default:
		return func(http.ResponseWriter, *http.Request) error {
			return apierrors.NewNotFound(k.GroupResource(), about.name)
		}
	}
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if serve := byMethod[method]; serve != nil {
		return serve
	}
	return func(http.ResponseWriter, *http.Request) error {
		return apierrors.NewMethodNotSupported(k.GroupResource(), customVerbs[method])
	}
}

// customVerbs maps methods to their names in errors.
var customVerbs = map[string]string{
	http.MethodPost: "create", http.MethodPut: "update", http.MethodPatch: "patch", http.MethodDelete: "delete", http.MethodGet: "get",
}
