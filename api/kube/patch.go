package kube

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// maxPatchOperations is the maximum number of operations of a JSON patch.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go, maxJSONPatchOperations
const maxPatchOperations = 10000

// errPatchType is the error for a patch of another type, or without a type.
//
// Source: github.com/emicklei/go-restful v3 curly.go and jsr311.go, detectRoute; the error becomes a
// Status
var errPatchType = &apierrors.StatusError{ErrStatus: metav1.Status{
	Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType, Reason: metav1.StatusReasonUnsupportedMediaType,
	Message: "415: Unsupported Media Type", Details: &metav1.StatusDetails{},
}}

// patch is the patch of one request.
type patch struct {
	media   types.PatchType
	doc     []byte
	options writeOptions
	w       http.ResponseWriter // for warnings
	// admit completes a patched custom resource, in place, and returns unknown fields; nil for
	// other kinds.
	admit func(next object.Object) (unknown []string, err error)
}

// patchType returns the type of a request's patch, or "" if it is unknown.
func patchType(req *http.Request) types.PatchType {
	media, _, _ := strings.Cut(req.Header.Get("Content-Type"), ";")
	if !slices.Contains(route.PatchTypes, media) {
		return ""
	}
	return types.PatchType(media)
}

// readPatch reads a request's patch and its options.
func readPatch(w http.ResponseWriter, req *http.Request) (*patch, error) {
	p := &patch{media: patchType(req), w: w}
	if p.media == "" {
		return nil, errPatchType
	}
	var err error
	if p.doc, err = wire.ReadBody(req); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	p.options, err = patchOptions(req, p.media)
	return p, err
}

// check rejects a patch that would be expensive to decode.
func (p *patch) check() error {
	if err := wire.CheckDepth(p.doc, wire.MaxPatchDepth); err != nil {
		return apierrors.NewBadRequest("error decoding patch: " + err.Error())
	}
	if !p.applies() {
		return wire.CheckEntries(p.doc, wire.MediaJSON, nil)
	}
	if err := wire.CheckAliases(p.doc); err != nil {
		return apierrors.NewBadRequest("error decoding YAML: " + err.Error())
	}
	return nil
}

// patch serves PATCH on an object or, if sub is not nil, on its subresource.
func (r *resource) patch(sub *kind.Subresource) route.Verb {
	return func(w http.ResponseWriter, req *http.Request) error {
		rep, err := wire.Negotiate(req, r.objects())
		if err != nil {
			return err
		}
		p, err := r.readPatch(w, req)
		if err != nil {
			return err
		}
		u := &update{
			r: r, namespace: wire.PathValue(req, "namespace"), name: wire.PathValue(req, "name"), sub: sub,
			write: p.options.write(req),
		}
		u.next = func(current *object.Version) (object.Object, error) { return u.patched(p, current) }
		if p.applies() {
			u.creates, u.write.owned = sub == nil, true
			u.next = func(current *object.Version) (object.Object, error) { return u.applied(p, current) }
		}
		done, err := u.commit(req.Context())
		wire.AddWarnings(w, done.warnings)
		if err != nil {
			return err
		}
		return r.WriteVersion(w, req, rep, codeOf(done.created), done.version)
	}
}

// patched applies the patch to the current version.
func (u *update) patched(p *patch, current *object.Version) (object.Object, error) {
	doc, err := u.r.AppendObject(nil, wire.Representation{}, current)
	if err != nil {
		return nil, err
	}
	next := u.r.Kind.New()
	if c := u.r.Kind.Custom; c != nil {
		p.admit = func(next object.Object) ([]string, error) { return c.Admit(next, p.checks()) }
	}
	if err := p.apply(doc, next, u.r.formats.JSON); err != nil {
		return nil, err
	}
	return u.placed(next)
}

// placed returns a patched object, which must be the object that the URL names.
//
// Differs: upstream removes duplicate owner references after it has recorded field owners. If fields
// of a custom resource are managed in two versions, that fails upstream, and managedFields are lost.
func (u *update) placed(next object.Object) (object.Object, error) {
	if err := registry.MatchNamespace(next, u.namespace); err != nil {
		return nil, err
	}
	if err := registry.MatchName(next, u.name); err != nil {
		return nil, err
	}
	if u.r.Kind.Custom != nil && next.GetObjectKind().GroupVersionKind().Version == "" {
		return nil, apierrors.NewInternalError(runtime.NewMissingVersionErr("object has no apiVersion field"))
	}
	u.warn(registry.DedupeOwners(next, " after mutating admission happens"))
	return next, nil
}

// apply applies the patch to a document and decodes the result into an object.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go, jsonPatcher and smpPatcher
func (p *patch) apply(doc []byte, into runtime.Object, f wire.Format) error {
	switch p.media {
	case types.JSONPatchType:
		patched, strict, err := p.applyJSON(doc)
		if err != nil {
			return err
		}
		return p.decode(patched, strict, into, f)
	case types.MergePatchType:
		patched, strict, err := p.applyMerge(doc)
		if err != nil {
			return err
		}
		return p.decode(patched, strict, into, f)
	}
	return p.applyStrategic(doc, into)
}

// checks reports whether unknown and duplicate fields matter.
func (p *patch) checks() bool { return p.options.fieldValidation != metav1.FieldValidationIgnore }

// jsonPatchOp is one operation of a JSON patch, for detecting unknown fields. Decoding errors
// contain its name.
type jsonPatchOp struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

func (p *patch) applyJSON(doc []byte) (patched []byte, strict []error, err error) {
	if p.checks() {
		var ops []jsonPatchOp
		if strict, err = kjson.UnmarshalStrict(p.doc, &ops); err != nil {
			return nil, nil, apierrors.NewBadRequest("error decoding patch: " + strings.ReplaceAll(err.Error(), "kube.jsonPatchOp", "handlers.jsonPatchOp"))
		}
		for i, e := range strict {
			strict[i] = fmt.Errorf("json patch %w", e)
		}
	}
	ops, err := jsonpatch.DecodePatch(p.doc)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	if len(ops) > maxPatchOperations {
		return nil, nil, apierrors.NewRequestEntityTooLargeError(
			fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", maxPatchOperations, len(ops)))
	}
	if err := wire.CheckOperations(ops, doc); err != nil {
		return nil, nil, err
	}
	if patched, err = applyOperations(ops, doc); err != nil {
		return nil, nil, unprocessable(err)
	}
	return patched, strict, nil
}

func init() {
	// Copy operations could double a document a thousand times.
	// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/config.go, JSONPatchMaxCopyBytes
	jsonpatch.AccumulatedCopySizeLimit = wire.MaxBodyBytes
}

// applyOperations applies a JSON patch. The library panics on an operation without a required
// value.
func applyOperations(ops jsonpatch.Patch, doc []byte) (patched []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cannot apply the patch: %v", p)
		}
	}()
	return ops.Apply(doc)
}

func (p *patch) applyMerge(doc []byte) (patched []byte, strict []error, err error) {
	if p.checks() {
		if strict, err = kjson.UnmarshalStrict(p.doc, &map[string]any{}); err != nil {
			return nil, nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
		}
	}
	patched, err = jsonpatch.MergePatch(doc, p.doc)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	return patched, strict, nil
}

// decode decodes a patched document. Errors are attributed to the patch.
func (p *patch) decode(patched []byte, strict []error, into runtime.Object, f wire.Format) error {
	decoder := f.Strict
	if !p.checks() {
		decoder = f.Lenient
	}
	if err := wire.CheckQuantities(patched, wire.MediaJSON, into); err != nil {
		return invalidPatch(string(p.doc), err)
	}
	obj, _, err := decoder.Decode(patched, nil, into)
	if obj != nil && obj != into && (err == nil || runtime.IsStrictDecodingError(err)) {
		err = wire.NotThatKind(obj.GetObjectKind().GroupVersionKind(), into)
	}
	if p.admit == nil {
		return p.judge(err, strict, string(patched))
	}
	return p.decodedCustom(p.admitted(into, err), strict, patched)
}

// decodedCustom is judge for custom resources.
func (p *patch) decodedCustom(err error, strict []error, patched []byte) error {
	shown := string(patched)
	if err != nil || len(strict) > 0 {
		shown = sorted(patched)
	}
	if runtime.IsMissingKind(err) {
		err = runtime.NewMissingKindErr(shown)
	}
	return p.judge(err, strict, shown)
}

func (p *patch) applyStrategic(doc []byte, into runtime.Object) error {
	var original map[string]any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(doc, &original); err != nil {
		return err
	}
	change := map[string]any{}
	var strict []error
	var err error
	if p.checks() {
		strict, err = kjson.UnmarshalStrict(p.doc, &change)
	} else {
		err = kjson.UnmarshalCaseSensitivePreserveInts(p.doc, &change)
	}
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	if err := wire.CheckStrategic(original, change, into); err != nil {
		return err
	}
	shown := fmt.Sprintf("%+v", change)
	patched, err := mergeStrategic(original, change, into)
	if err != nil {
		return strategicError(err)
	}
	if wire.Suspicious(p.doc) && wire.VastIn(patched, reflect.TypeOf(into)) {
		return invalidPatch(shown, quantity.ErrFormatWrong)
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(patched, into, p.checks())
	return p.judge(err, strict, shown)
}

// mergeStrategic applies a strategic merge patch. The library panics on a merge key that is a map
// or a list.
func mergeStrategic(original, change map[string]any, into runtime.Object) (patched map[string]any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = apierrors.NewBadRequest(fmt.Sprintf("cannot apply the patch: %v", p))
		}
	}()
	return strategicpatch.StrategicMergeMapPatch(original, change, into)
}

// judge converts the result of decoding a patched object to an error, or to warnings.
func (p *patch) judge(err error, strict []error, shown string) error {
	if err != nil {
		decoding, ok := runtime.AsStrictDecodingError(err)
		if !ok {
			return invalidPatch(shown, err)
		}
		strict = append(strict, decoding.Errors()...)
	}
	switch {
	case len(strict) == 0:
		return nil
	case p.options.fieldValidation == metav1.FieldValidationStrict:
		return invalidPatch(shown, runtime.NewStrictDecodingError(strict))
	}
	wire.WarnStrict(p.w, strict)
	return nil
}

func invalidPatch(shown string, err error) error {
	return kind.Invalid(schema.GroupKind{}, "", field.ErrorList{field.Invalid(field.NewPath("patch"), shown, err.Error())})
}

func unprocessable(err error) error {
	return apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", err.Error(), 0, false)
}

// strategicError distinguishes a malformed strategic merge patch from one that does not fit the
// object.
//
// Source: kubernetes v1.36 .../endpoints/handlers/patch.go, interpretStrategicMergePatchError
func strategicError(err error) error {
	switch {
	case errors.Is(err, mergepatch.ErrNoListOfLists), errors.Is(err, mergepatch.ErrPatchContentNotMatchRetainKeys):
		return unprocessable(err)
	case errors.Is(err, mergepatch.ErrBadJSONDoc), errors.Is(err, mergepatch.ErrBadPatchFormatForPrimitiveList),
		errors.Is(err, mergepatch.ErrBadPatchFormatForRetainKeys),
		errors.Is(err, mergepatch.ErrBadPatchFormatForSetElementOrderList), errors.Is(err, mergepatch.ErrUnsupportedStrategicMergePatchFormat):
		return apierrors.NewBadRequest(err.Error())
	}
	return registry.Untyped(err)
}
