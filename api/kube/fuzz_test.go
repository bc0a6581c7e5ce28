package kube

import (
	"net/http/httptest"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
)

// FuzzPatch: a patch is applied or rejected with a Status, and its result can be stored.
func FuzzPatch(f *testing.F) {
	f.Add(`[{"op":"replace","path":"/data/k","value":"2"}]`)
	f.Add(`{"data":{"k":null},"metadata":{"labels":{"a":"b"}}}`)
	f.Add(`{"data":{"$patch":"delete"},"metadata":{"$retainKeys":["name"],"$setElementOrder/finalizers":["a"],"$deleteFromPrimitiveList/finalizers":["a"]}}`)
	f.Add(`[{"op":"copy","from":"/data","path":"/data/x"},{"op":"move","from":"","path":"/a~1b"},{"op":"test","path":"/-1"}]`)
	f.Add(`[{"op":"replace","path":""}]`) // used to make the library panic
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
