package kindtest

import (
	"math/rand"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"pgregory.net/rapid"
	"sigs.k8s.io/randfill"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Randomly returns an object of the kind with random valid UTF-8 and plausible metadata.
func Randomly(t *rapid.T, k *kind.Kind) object.Object {
	seed := rapid.Int64().Draw(t, "seed")
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"}) // for random embedded objects
	codecs := serializer.NewCodecFactory(scheme)
	o := k.New()
	fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, schemaFuncs), rand.NewSource(seed), codecs).Fill(o)
	return o
}

// schemaFuncs fill schemas only one level deep, because schemas nest, and with valid JSON values.
func schemaFuncs(serializer.CodecFactory) []any {
	return []any{func(s *apiextensionsv1.JSONSchemaProps, c randfill.Continue) {
		c.Fill(&s.Type)
		c.Fill(&s.Description)
		c.Fill(&s.Required)
		c.Fill(&s.XPreserveUnknownFields)
		c.Fill(&s.XListMapKeys)
	}}
}

// Encode returns the stored form of an object.
func Encode(t *rapid.T, k *kind.Kind, o object.Object) string {
	body, err := object.Encode(&k.Type, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
