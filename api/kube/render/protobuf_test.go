package render

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
)

// scheme has the types of the catalogue.
var scheme = sync.OnceValue(func() *runtime.Scheme { return wire.NewScheme(builtin.Catalogue()) })

// everyKind runs a test for each kind of the catalogue.
func everyKind(t *testing.T, test func(t *testing.T, r *Resource)) {
	t.Helper()
	for _, k := range builtin.Catalogue().All() {
		t.Run(k.GroupVersionKind().String(), func(t *testing.T) {
			t.Parallel()
			r := New(k, wire.NewConverter(), time.Now)
			test(t, &r)
		})
	}
}

// filler returns a filler that sets random values of all types of fields.
func filler(seed int64) *randfill.Filler {
	extra := func(serializer.CodecFactory) []any {
		return []any{
			func(v *intstr.IntOrString, c randfill.Continue) {
				if *v = intstr.FromInt32(c.Int31()); c.Bool() {
					*v = intstr.FromString(c.String(20))
				}
			},
			func(v *runtime.RawExtension, c randfill.Continue) {
				v.Raw, _ = json.Marshal(map[string]int64{c.String(5): c.Int63n(1000)})
			},
			func(v *metav1.FieldsV1, c randfill.Continue) {
				v.Raw = fmt.Appendf(nil, `{"f:a%d":{}}`, c.Intn(100))
			},
			func(v *metav1.Time, c randfill.Continue) { *v = metav1.Unix(c.Int63n(1<<32), 0) },
			func(v *metav1.MicroTime, c randfill.Continue) {
				*v = metav1.MicroTime(metav1.Unix(c.Int63n(1<<32), 1000*c.Int63n(1e6)))
			},
			fillSchema,
		}
	}
	return fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, extra), rand.NewSource(seed), serializer.NewCodecFactory(scheme())).NilChance(0.3).NumElements(1, 2) //nolint:gosec // no secret
}

// fillSchema fills a schema two levels deep, because its type is recursive.
func fillSchema(v *apiextensionsv1.JSONSchemaProps, c randfill.Continue) {
	c.Fill(&v.Description)
	v.Default = &apiextensionsv1.JSON{Raw: fmt.Appendf(nil, `{"a":%d}`, c.Intn(100))}
	v.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: c.Bool()}
	inner := apiextensionsv1.JSONSchemaProps{Type: c.String(10), XPreserveUnknownFields: new(c.Bool())}
	v.Properties = map[string]apiextensionsv1.JSONSchemaProps{c.String(5): inner}
	v.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &inner}
}

// random returns a version of a random object as from the store.
func random(t *testing.T, r *Resource, seed int64) *object.Version {
	t.Helper()
	o := r.Stored.New()
	filler(seed).Fill(o)
	if o.GetName() == "" {
		o.SetName("a")
	}
	body, err := object.Encode(&r.Stored.Type, o)
	if err != nil {
		t.Fatal(err)
	}
	v := &object.Version{Type: &r.Stored.Type, Name: o.GetName(), Revision: object.Revision(seed + 1)}
	v.SetBody(body)
	return v
}

const randomObjects = 30

// The protobuf and JSON encodings of objects, lists and metadata agree.
func TestProtobuf_AgreesWithJSON(t *testing.T) {
	t.Parallel()
	everyKind(t, func(t *testing.T, r *Resource) {
		proto := protobuf.NewSerializer(scheme(), scheme())
		var page Page
		for seed := range int64(randomObjects) {
			v := random(t, r, seed)
			page.Versions = append(page.Versions, v)
			doc, err := r.appendObjectProtobuf(nil, wire.Representation{}, v)
			if err != nil {
				t.Fatal(err)
			}
			got, gvk, err := proto.Decode(doc, nil, nil)
			if err != nil || *gvk != r.Kind.GroupVersionKind() {
				t.Fatalf("decoded as %v: %v", gvk, err)
			}
			plain, err := r.AppendObject(nil, wire.Representation{}, v)
			if err != nil {
				t.Fatal(err)
			}
			want := r.Kind.New()
			if err := json.Unmarshal(plain, want); err != nil {
				t.Fatal(err)
			}
			want.GetObjectKind().SetGroupVersionKind(r.Kind.GroupVersionKind())
			got.GetObjectKind().SetGroupVersionKind(r.Kind.GroupVersionKind())
			if !apiequality.Semantic.DeepEqual(got, want) {
				a, _ := json.Marshal(got)
				t.Fatalf("protobuf and JSON differ (-JSON +protobuf):\n%s", cmp.Diff(string(plain), string(a)))
			}
		}
		if r.Kind.Answer == nil {
			sameLists(t, r, &page)
		}
	})
}

// sameLists compares the encodings of a list.
func sameLists(t *testing.T, r *Resource, p *Page) {
	t.Helper()
	left := int64(7)
	p.Revision, p.Next, p.Remaining = 99, "more", &left
	scheme := runtime.NewScheme()
	list := r.Kind.NewList()
	scheme.AddKnownTypeWithName(r.Kind.GroupVersion().WithKind(r.Kind.Kind+"List"), list)
	for _, v := range []runtime.Object{&metav1.PartialObjectMetadataList{}, &metav1beta1.PartialObjectMetadataList{}} {
		gv := metav1.SchemeGroupVersion
		if _, ok := v.(*metav1beta1.PartialObjectMetadataList); ok {
			gv = metav1beta1.SchemeGroupVersion
		}
		gv.Group = metav1.GroupName
		scheme.AddKnownTypeWithName(gv.WithKind("PartialObjectMetadataList"), v)
	}
	proto := protobuf.NewSerializer(scheme, scheme)
	for _, rep := range []wire.Representation{{}, {As: "PartialObjectMetadataList", Version: "v1"}, {As: "PartialObjectMetadataList", Version: "v1beta1"}} {
		write := r.WriteList
		if rep.As != "" {
			write = r.writePartialList
		}
		plain, binary, req := httptest.NewRecorder(), httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		if err := write(plain, req, rep, p); err != nil {
			t.Fatal(err)
		}
		rep.Encoding = wire.Protobuf
		if err := write(binary, req, rep, p); err != nil {
			t.Fatal(err)
		}
		got, gvk, err := proto.Decode(binary.Body.Bytes(), nil, nil)
		if err != nil {
			t.Fatalf("%+v: %v", rep, err)
		}
		want, err := scheme.New(*gvk)
		if err == nil {
			err = json.Unmarshal(plain.Body.Bytes(), want)
		}
		if err != nil {
			t.Fatalf("%+v: %v", rep, err)
		}
		clearKinds(t, got)
		clearKinds(t, want)
		if meta.LenList(got) != len(p.Versions) || !apiequality.Semantic.DeepEqual(got, want) {
			t.Errorf("%+v: protobuf and JSON differ (-JSON +protobuf):\n%s", rep, cmp.Diff(want, got))
		}
	}
}

// clearKinds removes apiVersion and kind from a list and its items, because protobuf has them for
// the whole document only.
func clearKinds(t *testing.T, list runtime.Object) {
	t.Helper()
	none := metav1.SchemeGroupVersion.WithKind("")
	none.Version = ""
	list.GetObjectKind().SetGroupVersionKind(none)
	if err := meta.EachListItem(list, func(o runtime.Object) error { o.GetObjectKind().SetGroupVersionKind(none); return nil }); err != nil {
		t.Fatal(err)
	}
}

// An object of a dry run has no resourceVersion in either encoding.
func TestProtobuf_OfADryRun(t *testing.T) {
	t.Parallel()
	r := new(New(core.ConfigMap, wire.NewConverter(), time.Now))
	v := random(t, r, 1)
	v.Revision = 0
	doc, err := r.appendObjectProtobuf(nil, wire.Representation{}, v)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := protobuf.NewSerializer(scheme(), scheme()).Decode(doc, nil, nil)
	if err != nil || got.(object.Object).GetResourceVersion() != "" {
		t.Errorf("got %v, %v", got, err)
	}
}
