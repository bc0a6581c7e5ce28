package builtin_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/object"
)

// verdict is Kubernetes' answer to the creation of an object: the stored object without generated
// metadata, or the errors, and the warnings.
type verdict struct {
	Object   json.RawMessage `json:"object"`
	Stored   map[string]any  `json:"stored"`
	Refused  []string        `json:"refused"`
	Warnings []string        `json:"warnings"`
}

// Creating objects has the same outcome as in Kubernetes 1.36, recorded in testdata/verdict, one
// per line.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "verdict", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			doc, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(doc) {
				var want verdict
				if err := json.Unmarshal(line, &want); err != nil {
					t.Fatal(err)
				}
				got := judge(t, want.Object)
				got.Object = want.Object
				slices.Sort(want.Refused)
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s\n-want +got:\n%s", want.Object, d)
				}
			}
		})
	}
}

// judge creates an object in an empty cluster. It sorts the errors.
func judge(t *testing.T, doc []byte) verdict {
	t.Helper()
	var of struct{ APIVersion, Kind string }
	if err := json.Unmarshal(doc, &of); err != nil {
		t.Fatal(err)
	}
	gv, err := schema.ParseGroupVersion(of.APIVersion)
	if err != nil {
		t.Fatal(err)
	}
	k := builtin.Catalogue().ByGVK(gv.WithKind(of.Kind))
	if k == nil {
		t.Fatalf("%s %s is not served", of.APIVersion, of.Kind)
	}
	o := k.New()
	if err := yaml.UnmarshalStrict(doc, o); err != nil {
		t.Fatal(err)
	}
	if k.Namespaced {
		o.SetNamespace("default")
	}
	k.Default(o)
	stored, next, validate := k, o, k.Validate
	if k.Stored != nil {
		stored, next = k.Stored.Kind, k.Stored.To(o)
		validate = func(object.Object) field.ErrorList { return k.Validate(o) }
		stored.Default(next)
	}
	if len(stored.Admission) > 0 {
		if err := kindtest.Admit(stored, next, kindtest.Cluster()); err != nil {
			t.Fatal(err)
		}
	}
	if stored.PrepareCreate != nil {
		stored.PrepareCreate(next)
	}
	if errs := kindtest.Texts(validate(next)); len(errs) > 0 {
		slices.Sort(errs)
		return verdict{Refused: errs}
	}
	var v verdict
	if stored.Warnings != nil {
		v.Warnings = stored.Warnings(next, nil)
	}
	if k.Stored != nil {
		next = k.Stored.From(next)
	}
	next.SetNamespace("")
	body, err := json.Marshal(next)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, &v.Stored); err != nil {
		t.Fatal(err)
	}
	delete(v.Stored, "apiVersion")
	delete(v.Stored, "kind")
	return v
}
