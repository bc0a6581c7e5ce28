package kube

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
)

// A token that the server made comes back as it was; any other is refused or names a place within
// the list.
func FuzzContinue(f *testing.F) {
	f.Add("default", "web", int64(7), "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Nywic3RhcnQiOiJ3ZWJcdTAwMDAifQ")
	f.Add("", "n", int64(-1), "")
	f.Fuzz(func(t *testing.T, namespace, name string, rev int64, token string) {
		if _, _, err := decodeContinue(token, namespace, true); err != nil && !apierrors.IsBadRequest(err) {
			t.Errorf("%q gave %v, which is no BadRequest", token, err)
		}
		names := len(content.IsPathSegmentName(name)) == 0 && name != "" && validUTF8(name)
		if !names || rev == 0 || namespace != "" && (len(content.IsPathSegmentName(namespace)) > 0 || !validUTF8(namespace)) {
			return
		}
		for _, all := range []bool{true, false} {
			within := namespace
			if all {
				within = ""
			}
			made := encodeContinue(object.Key{Namespace: namespace, Name: name}, all, object.Revision(rev))
			key, at, err := decodeContinue(made, within, namespace != "")
			if want := (object.Key{Namespace: namespace, Name: name + "\x00"}); err != nil || key != want || at != object.Revision(rev) {
				t.Errorf("%v at %d came back as %v at %d, %v", want, rev, key, at, err)
			}
		}
	})
}

// validUTF8 says whether a name survives JSON, as all names of objects do.
func validUTF8(s string) bool {
	for _, r := range s {
		if r == '�' {
			return false
		}
	}
	return true
}

// Selectors and options are understood or refused with a Status, whatever they are.
func FuzzListOptions(f *testing.F) {
	f.Add("app=web,tier!=db", "metadata.name=x", "10", "0")
	f.Add("a in (b,c), !d", "spec.nodeName!=", "x", "-1")
	f.Add("a>1", `metadata.name=\,`, "", "99999999999999999999")
	r := (&Server{}).resource(core.ConfigMap)
	v := &object.Version{Type: &core.ConfigMap.Type, Namespace: "n", Name: "x"}
	v.SetBody([]byte(object.Prefix(&core.ConfigMap.Type) + `"name":"x"}}`))
	f.Fuzz(func(t *testing.T, labels, fields, limit, rev string) {
		query := url.Values{"labelSelector": {labels}, "fieldSelector": {fields}, "limit": {limit}, "resourceVersion": {rev}}
		opts, err := listOptions(httptest.NewRequest(http.MethodGet, "/?"+query.Encode(), nil))
		if err == nil {
			var sel selection
			if sel, err = r.selection(opts.LabelSelector, opts.FieldSelector); err == nil {
				sel.matches(v)
				_, err = wire.ParseRevision(opts.ResourceVersion)
			}
		}
		if err != nil && apierrors.ReasonForError(err) == metav1.StatusReasonUnknown {
			t.Errorf("%v is no Status", err)
		}
	})
}

// A patch is applied or refused with a Status, whatever it is, and leaves an object that can be
// stored.
func FuzzPatch(f *testing.F) {
	f.Add(`[{"op":"replace","path":"/data/k","value":"2"}]`)
	f.Add(`{"data":{"k":null},"metadata":{"labels":{"a":"b"}}}`)
	f.Add(`{"data":{"$patch":"delete"},"metadata":{"$retainKeys":["name"],"$setElementOrder/finalizers":["a"],"$deleteFromPrimitiveList/finalizers":["a"]}}`)
	f.Add(`[{"op":"copy","from":"/data","path":"/data/x"},{"op":"move","from":"","path":"/a~1b"},{"op":"test","path":"/-1"}]`)
	f.Add(`[{"op":"replace","path":""}]`) // made the library panic
	doc := []byte(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"1","finalizers":["a","b"]},"data":{"k":"1"}}`)
	s := New(Deps{Catalogue: kind.NewCatalogue(core.ConfigMap)})
	f.Fuzz(func(t *testing.T, body string) {
		for _, media := range []types.PatchType{types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType} {
			for _, directive := range []string{metav1.FieldValidationIgnore, metav1.FieldValidationWarn, metav1.FieldValidationStrict} {
				p := &patch{media: media, doc: []byte(body), options: writeOptions{fieldValidation: directive}, w: httptest.NewRecorder()}
				into := new(corev1.ConfigMap)
				err := p.apply(doc, into, s.formats.JSON)
				if err == nil && into.Name != "" {
					_, err = object.Encode(&core.ConfigMap.Type, into)
				}
				if _, ok := err.(apierrors.APIStatus); err != nil && !ok {
					t.Errorf("%s, %s: %v is no Status", media, directive, err)
				}
			}
		}
	})
}
