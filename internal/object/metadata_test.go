package object_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
)

// TestBare_IsTheObjectWithoutManagedFields: cutting them out of a body equals encoding without
// them.
func TestBare_IsTheObjectWithoutManagedFields(t *testing.T) {
	t.Parallel()
	configMaps := &object.Type{Version: "v1", Kind: "ConfigMap", Plural: "configmaps", Namespaced: true, New: func() object.Object { return &corev1.ConfigMap{} }}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", "a", `"`, `\`, `\\"`, `{"managedFields":[`, "},]", "managedFields", "é\n\u2028", `"managedFields":[{}]`})
		o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "n" + text.Draw(t, "name"), Namespace: "default", UID: "u"}, Data: map[string]string{"managedFields": "x"}}
		for range rapid.IntRange(0, 3).Draw(t, "labels") {
			metav1.SetMetaDataAnnotation(&o.ObjectMeta, text.Draw(t, "key"), text.Draw(t, "value"))
			o.Finalizers = append(o.Finalizers, text.Draw(t, "finalizer"))
		}
		for range rapid.IntRange(0, 2).Draw(t, "managers") {
			o.ManagedFields = append(o.ManagedFields, metav1.ManagedFieldsEntry{
				Manager: text.Draw(t, "manager"), FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:metadata":{"k:{\"name\":\"a\\\"b\"}":{}}}`)},
			})
		}
		body, err := object.Encode(configMaps, o)
		if err != nil {
			t.Fatal(err)
		}
		v := &object.Version{Type: configMaps, Namespace: "default", Name: o.Name, UID: "u", Revision: object.Revision(rapid.IntRange(0, 1).Draw(t, "revision") * 7)}
		v.SetBody(body)

		whole, bare := v.Object().DeepCopyObject().(*corev1.ConfigMap), v.Object().DeepCopyObject().(*corev1.ConfigMap)
		if bare.ManagedFields = nil; v.Revision == 0 {
			whole.ResourceVersion, bare.ResourceVersion = "", ""
		}
		for name, pair := range map[string][2]any{
			"whole metadata": {whole.ObjectMeta, read[metav1.ObjectMeta](t, v.AppendMetadata(nil, false))},
			"bare metadata":  {bare.ObjectMeta, read[metav1.ObjectMeta](t, v.AppendMetadata(nil, true))},
			"bare object":    {*bare, read[corev1.ConfigMap](t, v.AppendBareJSON(nil))},
		} {
			if d := cmp.Diff(pair[0], pair[1]); d != "" {
				t.Fatalf("%s (-want +got):\n%s", name, d)
			}
		}
		bare.TypeMeta = metav1.TypeMeta{}
		if d := cmp.Diff(*bare, read[corev1.ConfigMap](t, v.AppendBareItemJSON(nil))); d != "" {
			t.Fatalf("item (-want +got):\n%s", d)
		}
	})
}

// TestBare_FirstLastAndAlone: this holds wherever the member is.
func TestBare_FirstLastAndAlone(t *testing.T) {
	t.Parallel()
	configMaps := &object.Type{Version: "v1", Kind: "ConfigMap", Plural: "configmaps", New: func() object.Object { return &corev1.ConfigMap{} }}
	for rest, want := range map[string]string{
		`"managedFields":[{"a":"]"}],"name":"x"},"data":{}}`:            `{"resourceVersion":"7","name":"x"}`,
		`"name":"x","managedFields":[1],"uid":"u"}}`:                    `{"resourceVersion":"7","name":"x","uid":"u"}`,
		`"name":"x","managedFields":[]}}`:                               `{"resourceVersion":"7","name":"x"}`,
		`"name":"x"},"data":{"managedFields":"kept"}}`:                  `{"resourceVersion":"7","name":"x"}`,
		`"name":"x","labels":{"managedFields":"kept"}},"spec":{"a":1}}`: `{"resourceVersion":"7","name":"x","labels":{"managedFields":"kept"}}`,
	} {
		v := &object.Version{Type: configMaps, UID: types.UID("u"), Revision: 7}
		v.SetBody([]byte(object.Prefix(configMaps) + rest))
		if got := string(v.AppendMetadata(nil, true)); got != want {
			t.Errorf("%s: %s, not %s", rest, got, want)
		}
	}
}

func read[T any](t *rapid.T, doc []byte) (v T) {
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatalf("%v: %s", err, doc)
	}
	return v
}
