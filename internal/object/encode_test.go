package object_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
)

// TestEncode_AsTheStandardEncoder: Encode writes the same as json.Marshal, whatever is in the
// metadata.
func TestEncode_AsTheStandardEncoder(t *testing.T) {
	t.Parallel()
	texts := rapid.SampledFrom([]string{"", "a", "kubectl", "v1", "status", `"`, `\`, "}", "{", "<b>", "é", "\u2028", "\n", "x\xff", `\"}`})
	fields := rapid.SampledFrom([]string{`{}`, `{"f:spec":{}}`, `{ "f:a" : {} }`, `{"f:<":{}}`, `{"k:{\"a\":\"}\"}":{".":{}}}`, `null`, `{"f:é":{}}`, ``})
	seconds := rapid.Int64Range(-1<<40, 1<<40)
	entry := rapid.Custom(func(t *rapid.T) metav1.ManagedFieldsEntry {
		e := metav1.ManagedFieldsEntry{
			Manager: texts.Draw(t, "manager"), Operation: metav1.ManagedFieldsOperationType(texts.Draw(t, "operation")),
			APIVersion: texts.Draw(t, "apiVersion"), FieldsType: texts.Draw(t, "fieldsType"), Subresource: texts.Draw(t, "subresource"),
		}
		if rapid.Bool().Draw(t, "usual") {
			e.Manager, e.Operation, e.APIVersion, e.FieldsType = "kubectl", "Update", "v1", "FieldsV1"
		}
		if rapid.Bool().Draw(t, "timed") {
			e.Time = &metav1.Time{Time: time.Unix(seconds.Draw(t, "second"), 0)}
		}
		if rapid.Bool().Draw(t, "fields") {
			e.FieldsV1 = &metav1.FieldsV1{Raw: []byte(fields.Draw(t, "raw"))}
		}
		return e
	})
	base := podVersion(t, 0).Object()
	rapid.Check(t, func(t *rapid.T) {
		o := base.DeepCopyObject().(object.Object)
		o.SetLabels(rapid.MapOfN(texts, texts, 0, 3).Draw(t, "labels"))
		o.SetFinalizers(rapid.SliceOfN(texts, 0, 2).Draw(t, "finalizers"))
		o.SetManagedFields(rapid.SliceOfN(entry, 0, 3).Draw(t, "managedFields"))
		before := o.DeepCopyObject()
		got, err := object.Encode(podType, o)
		want, wantErr := json.Marshal(o)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("error %v, want %v", err, wantErr)
		}
		if err == nil && string(got) != string(want) {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
		o.SetResourceVersion(before.(object.Object).GetResourceVersion())
		if diff := cmp.Diff(before.(object.Object).GetManagedFields(), o.GetManagedFields()); diff != "" {
			t.Fatalf("encoding has changed the object's managedFields:\n%s", diff)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	o := owned(b, 0, "kubelet", strings.Repeat("a", 600), 1).Object().DeepCopyObject().(object.Object)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := object.Encode(podType, o); err != nil {
			b.Fatal(err)
		}
	}
}
