package object_test

import (
	"runtime"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// TestVersion_OfABulkType: a decoded object is found again while it is in use, and is kept no
// longer.
func TestVersion_OfABulkType(t *testing.T) {
	t.Parallel()
	typ := &object.Type{
		Version: "v1", Kind: "ConfigMap", Plural: "configmaps", New: func() object.Object { return &corev1.ConfigMap{} }, Bulk: true,
		Weak: object.WeakTo[corev1.ConfigMap],
	}
	v := &object.Version{Type: typ, Name: "c", Revision: 7}
	v.SetBody([]byte(object.Prefix(typ) + `"name":"c"},"data":{"a":"b"}}`))
	if v.Remembered() != nil {
		t.Error("a version that nobody has decoded remembers an object")
	}
	first := v.Object()
	if v.Object() != first || v.Remembered() != first {
		t.Error("an object that is in use is decoded again")
	}
	runtime.KeepAlive(first) // the last use
	runtime.GC()
	if v.Remembered() != nil {
		t.Error("an object that nobody uses is kept")
	}
	if c := v.Object().(*corev1.ConfigMap); c.Data["a"] != "b" || c.ResourceVersion != "7" {
		t.Errorf("decoded again: %v", c)
	}
	typ.Weak = nil
	other := &object.Version{Type: typ, Name: "c", Revision: 8}
	if other.Remember(&corev1.ConfigMap{}); other.Remembered() != nil {
		t.Error("a bulk type without weak references remembers an object")
	}
}
