package kube

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"net/http/httptest"
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

// everyKind runs a test for each kind of the catalogue.
func everyKind(t *testing.T, test func(t *testing.T, r *resource)) {
	t.Helper()
	s := New(Deps{Catalogue: builtin.Catalogue(), Now: time.Now})
	for _, k := range builtin.Catalogue().All() {
		t.Run(k.GroupVersionKind().String(), func(t *testing.T) {
			t.Parallel()
			test(t, s.resource(k))
		})
	}
}

// filler fills objects with anything that their types can hold.
func filler(r *resource, seed int64) *randfill.Filler {
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
	return fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, extra), rand.NewSource(seed), serializer.NewCodecFactory(r.scheme)).NilChance(0.3).NumElements(1, 2) //nolint:gosec // no secret
}

// fillSchema fills a schema two levels deep. Filled by its type it would nest without end.
func fillSchema(v *apiextensionsv1.JSONSchemaProps, c randfill.Continue) {
	c.Fill(&v.Description)
	v.Default = &apiextensionsv1.JSON{Raw: fmt.Appendf(nil, `{"a":%d}`, c.Intn(100))}
	v.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: c.Bool()}
	inner := apiextensionsv1.JSONSchemaProps{Type: c.String(10), XPreserveUnknownFields: new(c.Bool())}
	v.Properties = map[string]apiextensionsv1.JSONSchemaProps{c.String(5): inner}
	v.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &inner}
}

// random is a version of a random object that has come out of the store.
func random(t *testing.T, r *resource, seed int64) *object.Version {
	t.Helper()
	o := r.stored.New()
	filler(r, seed).Fill(o)
	if o.GetName() == "" {
		o.SetName("a")
	}
	body, err := object.Encode(&r.stored.Type, o)
	if err != nil {
		t.Fatal(err)
	}
	v := &object.Version{Type: &r.stored.Type, Name: o.GetName(), Revision: object.Revision(seed + 1)}
	v.SetBody(body)
	return v
}

const randomObjects = 30

// The protobuf of an object says what its JSON says, whatever the object; so do those of lists and
// of metadata.
func TestProtobuf_SaysWhatJSONSays(t *testing.T) {
	t.Parallel()
	everyKind(t, func(t *testing.T, r *resource) {
		proto := protobuf.NewSerializer(r.scheme, r.scheme)
		var page page
		for seed := range int64(randomObjects) {
			v := random(t, r, seed)
			page.versions = append(page.versions, v)
			doc, err := r.appendObjectProtobuf(nil, wire.Representation{}, v)
			if err != nil {
				t.Fatal(err)
			}
			got, gvk, err := proto.Decode(doc, nil, nil)
			if err != nil || *gvk != r.kind.GroupVersionKind() {
				t.Fatalf("decoded as %v: %v", gvk, err)
			}
			plain, err := r.appendObject(nil, wire.Representation{}, v)
			if err != nil {
				t.Fatal(err)
			}
			want := r.kind.New()
			if err := json.Unmarshal(plain, want); err != nil {
				t.Fatal(err)
			}
			want.GetObjectKind().SetGroupVersionKind(r.kind.GroupVersionKind())
			got.GetObjectKind().SetGroupVersionKind(r.kind.GroupVersionKind())
			if !apiequality.Semantic.DeepEqual(got, want) {
				a, _ := json.Marshal(got)
				t.Fatalf("protobuf and JSON differ (-JSON +protobuf):\n%s", cmp.Diff(string(plain), string(a)))
			}
		}
		if r.kind.Answer == nil {
			sameLists(t, r, &page)
		}
	})
}

// sameLists compares the forms of a list.
func sameLists(t *testing.T, r *resource, p *page) {
	t.Helper()
	left := int64(7)
	p.revision, p.next, p.remaining = 99, "more", &left
	scheme := runtime.NewScheme()
	list := r.kind.NewList()
	scheme.AddKnownTypeWithName(r.kind.GroupVersion().WithKind(r.kind.Kind+"List"), list)
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
		write := r.writeList
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
		if meta.LenList(got) != len(p.versions) || !apiequality.Semantic.DeepEqual(got, want) {
			t.Errorf("%+v: protobuf and JSON differ (-JSON +protobuf):\n%s", rep, cmp.Diff(want, got))
		}
	}
}

// clearKinds takes the kinds off a list and its items: protobuf has them for the whole document
// only.
func clearKinds(t *testing.T, list runtime.Object) {
	t.Helper()
	none := metav1.SchemeGroupVersion.WithKind("")
	none.Version = ""
	list.GetObjectKind().SetGroupVersionKind(none)
	if err := meta.EachListItem(list, func(o runtime.Object) error { o.GetObjectKind().SetGroupVersionKind(none); return nil }); err != nil {
		t.Fatal(err)
	}
}

// A dry run's object has no resourceVersion in either form.
func TestProtobuf_OfADryRun(t *testing.T) {
	t.Parallel()
	r := New(Deps{Catalogue: builtin.Catalogue(), Now: time.Now}).resource(core.ConfigMap)
	v := random(t, r, 1)
	v.Revision = 0
	doc, err := r.appendObjectProtobuf(nil, wire.Representation{}, v)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := protobuf.NewSerializer(r.scheme, r.scheme).Decode(doc, nil, nil)
	if err != nil || got.(object.Object).GetResourceVersion() != "" {
		t.Errorf("got %v, %v", got, err)
	}
}

// An event is encoded once, however many watches send it; neighbours in the cache do not mix, and
// what is large has room of its own.
func TestFrames(t *testing.T) {
	t.Parallel()
	var f frames
	encoded := map[int]int{}
	get := func(revision object.Revision, size int) {
		t.Helper()
		doc, err := f.get(frameKey{revision: revision}, size, func() ([]byte, error) {
			encoded[int(revision)]++
			return fmt.Append(nil, revision), nil
		})
		if err != nil || string(doc) != fmt.Sprint(revision) {
			t.Errorf("revision %d: %q, %v", revision, doc, err)
		}
	}
	for range 100 {
		get(1, 10)
		get(2, 10)
		get(2, smallFrameBytes+1)
	}
	if encoded[1] != 1 || encoded[2] != 2 {
		t.Errorf("encoded %v times", encoded)
	}
	get(257, 10)
	get(1, 10)
	if encoded[257] != 1 || encoded[1] != 2 {
		t.Errorf("a slot that was taken over: encoded %v times", encoded)
	}
}
