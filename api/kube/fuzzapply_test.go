package kube

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/object"
)

// FuzzApply: a configuration is applied or rejected with a Status. The result can be stored, and
// applying the same again changes nothing.
func FuzzApply(f *testing.F) {
	for i, body := range seedBodies {
		f.Add(uint8(i), uint8(i), body)
	}
	f.Add(uint8(0), uint8(1), "apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}}\nspec: {containers: [{name: c}, {name: c}, {name: null}, 5]}\n")
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
