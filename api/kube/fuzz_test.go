package kube

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fieldmanager"
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

// FuzzApply: a configuration is applied or rejected with a Status. The result can be stored, and
// applying the same again changes nothing.
func FuzzApply(f *testing.F) {
	for i, body := range seedBodies {
		f.Add(uint8(i), uint8(i), body)
	}
	f.Add(uint8(0), uint8(1),
		"apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {kubectl.kubernetes.io/last-applied-configuration: "+
			"'{}'}}\nspec: {containers: [{name: c}, {name: c}, {name: null}, 5]}\n")
	f.Add(uint8(3), uint8(2), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, finalizers: [a, a], ownerReferences: [{uid: x}, {uid: x}]}\ndata: &d\n  a: !!binary aGk=\n  a: x\n  <<: *d\n")
	f.Add(uint8(5), uint8(0), "apiVersion: v1\nkind: Service\nmetadata: [x]\nspec: {ports: [{port: 80}, {port: 80, protocol: UDP}, {port: 1e9999}], selector: null}\nstatus: 5")
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f.Fuzz(func(t *testing.T, which, directive uint8, body string) {
		k := bodyKinds[int(which)%len(bodyKinds)]
		p := &patch{media: types.ApplyYAMLPatchType, doc: []byte(body), w: httptest.NewRecorder(),
			options: writeOptions{fieldManager: "kubectl", fieldValidation: directives[int(directive)%len(directives)]}}
		if p.check() != nil {
			return
		}
		by := fieldmanager.Writer{Manager: "kubectl", At: at}
		first, err := p.merge(&k.Type, nil, by)
		if err != nil {
			if status := apierrors.APIStatus(nil); !errors.As(err, &status) {
				t.Errorf("%q: %v is no Status", body, err)
			}
			return
		}
		if k.Default(first); first.GetName() == "" || len(k.Validate(first)) > 0 {
			return
		}
		if _, err := object.Encode(&k.Type, first); err != nil {
			t.Fatalf("%q cannot be stored: %v", body, err)
		}
		again, err := p.merge(&k.Type, first, by)
		if err != nil {
			t.Fatalf("%q cannot be applied again: %v", body, err)
		}
		k.Default(again)
		before, _ := json.Marshal(first)
		after, _ := json.Marshal(again)
		if string(before) != string(after) {
			t.Errorf("%q: %s became %s", body, before, after)
		}
	})
}
