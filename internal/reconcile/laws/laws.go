// Package laws holds the five laws that every reconciler is tested against, and a toy cluster to
// test them in.
//
//  1. The same input gives the same plan.
//  2. The input is not modified.
//  3. Applying plans settles: after a while there is nothing left to do.
//  4. The reconciler's bounds hold at every step (surge, unavailable, parallelism).
//  5. An object that is being deleted, or scaled to zero, creates nothing.
//
// Check judges laws 1 and 2 for one snapshot. A Controller puts a reconciler into a World, where
// Settle runs it together with others, in any order, and judges law 3. The Controller's Judge and
// Settle's after judge laws 4 and 5. A World applies plans as strictly as the real applier, and
// fails the test where the applier would leave out a change. The package is for tests only.
package laws

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/plan"
)

// Check reconciles the snapshot twice and fails t unless both plans are equal and the snapshot is
// unchanged. It returns the plan. S is a struct of exported fields.
func Check[S any](t rapid.TB, reconcile func(S) plan.Plan, s S) plan.Plan {
	t.Helper()
	before := clone(reflect.ValueOf(s)).Interface()
	first := reconcile(s)
	second := reconcile(s)
	if !reflect.DeepEqual(before, any(s)) {
		t.Fatalf("the input was changed (-before +after):\n%s", cmp.Diff(before, any(s)))
	}
	if !reflect.DeepEqual(first, second) {
		t.Fatalf("the same input gave two plans:\n%s\n%s\n%s", first, second, cmp.Diff(first, second))
	}
	return first
}

// clone copies a value deeply: Kubernetes objects by DeepCopyObject; pointers, slices, maps and
// exported fields by reflection; everything else by assignment.
func clone(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		if o, ok := v.Interface().(runtime.Object); ok {
			return reflect.ValueOf(o.DeepCopyObject())
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(clone(v.Elem()))
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(clone(v.Index(i)))
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, key := range v.MapKeys() {
			out.SetMapIndex(key, clone(v.MapIndex(key)))
		}
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(clone(v.Field(i)))
			}
		}
		return out
	default:
		return v
	}
}
