package fieldmanager_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/object"
)

func typeOf[T any, P interface {
	*T
	object.Object
}](group, version string) *object.Type {
	name := reflect.TypeFor[T]().Name()
	return &object.Type{Group: group, Version: version, Kind: name, Plural: strings.ToLower(name) + "s", New: func() object.Object { return P(new(T)) }}
}

var kinds = []*object.Type{
	typeOf[corev1.ConfigMap]("", "v1"),
	typeOf[corev1.Pod]("", "v1"),
	typeOf[corev1.Node]("", "v1"),
	typeOf[corev1.Service]("", "v1"),
	typeOf[corev1.ServiceAccount]("", "v1"),
	typeOf[corev1.Namespace]("", "v1"),
	typeOf[corev1.PersistentVolume]("", "v1"),
	typeOf[corev1.Event]("", "v1"),
	typeOf[corev1.Endpoints]("", "v1"),
	typeOf[corev1.ResourceQuota]("", "v1"),
	typeOf[appsv1.Deployment]("apps", "v1"),
	typeOf[appsv1.ReplicaSet]("apps", "v1"),
	typeOf[appsv1.ControllerRevision]("apps", "v1"),
	typeOf[batchv1.Job]("batch", "v1"),
	typeOf[batchv1.CronJob]("batch", "v1"),
	typeOf[coordinationv1.Lease]("coordination.k8s.io", "v1"),
	typeOf[discoveryv1.EndpointSlice]("discovery.k8s.io", "v1"),
	typeOf[policyv1.PodDisruptionBudget]("policy", "v1"),
	typeOf[apiextensionsv1.CustomResourceDefinition]("apiextensions.k8s.io", "v1"),
}

// world draws objects and changes of them.
type world struct {
	t    *rapid.T
	rich int // how many in ten optional parts are present
}

func (w world) pick(n int) int { return rapid.IntRange(0, n-1).Draw(w.t, "pick") }

func (w world) text() string {
	words := []string{"a", "b", "a-b", "a!", "Ready", "TCP", "", "zz", "example.com/x"}
	if w.pick(200) == 0 {
		return rapid.SampledFrom([]string{`q"`, `b\`, "<&>", "ü", "\n", "{}", `\"`}).Draw(w.t, "odd text")
	}
	return words[w.pick(len(words))]
}

// fill draws a value in place.
func (w world) fill(v reflect.Value, depth int) {
	switch v.Type() {
	case reflect.TypeFor[metav1.Time]():
		if w.pick(3) > 0 {
			v.Set(reflect.ValueOf(metav1.NewTime(noon.Add(time.Duration(w.pick(4)) * 700 * time.Millisecond))))
		}
		return
	case reflect.TypeFor[metav1.MicroTime]():
		if w.pick(3) > 0 {
			v.Set(reflect.ValueOf(metav1.NewMicroTime(noon.Add(time.Duration(w.pick(4)) * 300 * time.Nanosecond))))
		}
		return
	case reflect.TypeFor[resource.Quantity]():
		v.Set(reflect.ValueOf(resource.MustParse(rapid.SampledFrom([]string{"1", "1000m", "1Gi", "1073741824", "0", "100m", "0.1"}).Draw(w.t, "quantity"))))
		return
	case reflect.TypeFor[intstr.IntOrString]():
		v.Set(reflect.ValueOf(rapid.SampledFrom([]intstr.IntOrString{intstr.FromInt32(1), intstr.FromString("1"), intstr.FromString("http"), {}}).Draw(w.t, "int or string")))
		return
	case reflect.TypeFor[runtime.RawExtension]():
		if w.pick(2) == 0 {
			v.Set(reflect.ValueOf(runtime.RawExtension{Raw: []byte(`{"a":` + fmt.Sprint(w.pick(3)) + `}`)}))
		} else {
			v.SetZero()
		}
		return
	case reflect.TypeFor[apiextensionsv1.JSON]():
		v.Set(reflect.ValueOf(apiextensionsv1.JSON{Raw: []byte(`{"a":` + fmt.Sprint(w.pick(3)) + `}`)}))
		return
	case reflect.TypeFor[[]metav1.ManagedFieldsEntry](), reflect.TypeFor[metav1.TypeMeta]():
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(w.text())
	case reflect.Bool:
		v.SetBool(w.pick(2) == 0)
	case reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(int64([]int{0, 1, 80, 443, -9}[w.pick(5)]))
	case reflect.Uint8:
		v.SetUint(uint64(w.pick(3)))
	case reflect.Pointer:
		v.SetZero()
		if w.pick(10) < w.rich-depth {
			v.Set(reflect.New(v.Type().Elem()))
			w.fill(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && (v.Type().Field(i).Anonymous || w.pick(10) < w.rich) {
				w.fill(v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		v.SetZero()
		if n := w.pick(4) - depth/6; n >= 0 && w.pick(10) < w.rich {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				w.fill(v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		v.SetZero()
		if w.pick(10) < w.rich {
			v.Set(reflect.MakeMap(v.Type()))
			for range w.pick(4) {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				w.fill(key, depth+1)
				w.fill(value, depth+1)
				v.SetMapIndex(key, value)
			}
		}
	}
}

// change redraws some parts of a value in place.
func (w world) change(v reflect.Value, depth int) {
	whole := v.Kind() == reflect.Struct && reflect.PointerTo(v.Type()).Implements(reflect.TypeFor[json.Marshaler]())
	if whole || w.pick(12) == 0 {
		w.fill(v, depth)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			w.change(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for range 3 {
			if i := w.pick(max(v.NumField(), 1)); i < v.NumField() && v.Field(i).CanSet() && v.Type().Field(i).Name != "ManagedFields" {
				w.change(v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		if v.Len() > 0 {
			w.change(v.Index(w.pick(v.Len())), depth+1)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			w.fill(value, depth+1)
			v.SetMapIndex(key, value)
			break
		}
	}
}

// TestQuickly_IsUpstreams writes random objects by several managers and compares each result with
// that of upstream's code.
func TestQuickly_IsUpstreams(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		t.Run(kind.Kind, func(t *testing.T) {
			t.Parallel()
			quick, all := 0, 0
			rapid.Check(t, func(rt *rapid.T) {
				w := world{rt, rapid.IntRange(1, 6).Draw(rt, "rich")}
				old := kind.New()
				at := noon
				for step := range rapid.IntRange(1, 7).Draw(rt, "steps") {
					next := old.DeepCopyObject().(object.Object)
					if step == 0 {
						w.fill(reflect.ValueOf(next).Elem(), 0)
						next.SetUID("")
					} else {
						w.change(reflect.ValueOf(next).Elem(), 0)
					}
					by := fieldmanager.Writer{
						Manager:     rapid.SampledFrom([]string{"kubelet", "kube-controller-manager", "a", "b", ""}).Draw(rt, "manager"),
						Subresource: rapid.SampledFrom([]string{"", "", "status", "finalize"}).Draw(rt, "subresource"),
						At:          at,
					}
					switch w.pick(12) {
					case 0:
						next.SetManagedFields(nil)
					case 1:
						next.SetManagedFields([]metav1.ManagedFieldsEntry{{}})
					}
					if step > 0 && w.pick(5) == 0 {
						old = applied(rt, w, kind, old, by)
						continue
					}
					next = sent(rt, kind, next)
					want := next.DeepCopyObject().(object.Object)
					before := old.DeepCopyObject()
					err := fieldmanager.Slowly(kind, want, old, by)
					all++
					if fieldmanager.Quickly(kind, next, old, by) {
						quick++
						if err != nil {
							rt.Fatalf("quickly found nothing wrong: %v", err)
						}
						if got, want := entries(next), entries(want); got != want {
							rt.Fatalf("step %d by %+v: quickly:\n%s\nupstream:\n%s", step, by, got, want)
						}
						if !reflect.DeepEqual(before, old) {
							rt.Fatal("the older object has been changed")
						}
					}
					want.SetUID("uid")
					old = sent(rt, kind, want)
					at = at.Add(time.Duration(w.pick(3)) * time.Second)
				}
			})
			t.Logf("%d of %d writes went the quick way", quick, all)
			if quick*3 < all && kind.Kind != "ControllerRevision" { // its data can be anything
				t.Errorf("only %d of %d writes went the quick way", quick, all)
			}
		})
	}
}

// sent returns an object as it comes over the wire, where omitted lists and empty ones are the
// same.
func sent(t *rapid.T, kind *object.Type, o object.Object) object.Object {
	doc, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	out := kind.New()
	if err := json.Unmarshal(doc, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// applied returns the object after a part of it has been applied.
func applied(t *rapid.T, w world, kind *object.Type, live object.Object, by fieldmanager.Writer) object.Object {
	part := live.DeepCopyObject().(object.Object)
	w.change(reflect.ValueOf(part).Elem(), 0)
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(part)
	if err != nil {
		return live
	}
	delete(content["metadata"].(map[string]any), "managedFields")
	delete(content["metadata"].(map[string]any), "resourceVersion")
	content["apiVersion"], content["kind"] = kind.GroupVersion().String(), kind.Kind
	if w.pick(2) == 0 {
		delete(content, "spec")
	}
	by.Subresource = ""
	out, err := fieldmanager.Apply(kind, live, content, by, true)
	if err != nil {
		return live
	}
	out.SetUID(types.UID("uid"))
	return out
}

func entries(o object.Object) string {
	var lines []string
	for _, e := range o.GetManagedFields() {
		at := "-"
		if e.Time != nil {
			at = e.Time.UTC().Format(time.RFC3339Nano)
		}
		lines = append(lines, strings.Join([]string{e.Manager, string(e.Operation), e.APIVersion, e.Subresource, at, string(e.FieldsV1.Raw)}, " "))
	}
	if o.GetManagedFields() == nil {
		lines = append(lines, "none")
	}
	return strings.Join(lines, "\n")
}
