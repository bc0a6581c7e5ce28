package builtin_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/object"
)

// Files in testdata/fact record the behaviour of Kubernetes 1.36. Their first line has valid
// objects and how they are stored. Each further line has one change to such an object, at creation
// or in an update, and its outcome: errors in order (type, field and detail), or how the stored
// object differs, and warnings.

// factHead is a file's first line.
type factHead struct {
	Kind  string `json:"kind"` // "deployments.apps"
	Bases []struct {
		Object  json.RawMessage `json:"object"`
		Outcome json.RawMessage `json:"outcome"`
	} `json:"bases"`
}

// fact is one of the other lines.
type fact struct {
	Base     int             `json:"base"`
	Op       string          `json:"op"` // "create" or "update"
	Change   json.RawMessage `json:"change"`
	Errors   []string        `json:"errors"`
	Outcome  json.RawMessage `json:"outcome"`
	Warnings []string        `json:"warnings"`
}

// outcome is the outcome of a write.
type outcome struct {
	errors, warnings []string
	object           object.Object
}

func readFacts(t *testing.T, file string, each func(k *kind.Kind, head factHead, line string, f fact)) {
	t.Helper()
	content, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close() //nolint:errcheck // read only
	lines := bufio.NewScanner(content)
	lines.Buffer(nil, 1<<20)
	var head factHead
	var k *kind.Kind
	for lines.Scan() {
		if k == nil {
			if err := json.Unmarshal(lines.Bytes(), &head); err != nil {
				t.Fatal(err)
			}
			k = servedKind(t, head.Kind)
			continue
		}
		var f fact
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			t.Fatal(err)
		}
		each(k, head, lines.Text(), f)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func servedKind(t *testing.T, resource string) *kind.Kind {
	t.Helper()
	for _, k := range builtin.Catalogue().All() {
		if k.Resource() == resource {
			return k
		}
	}
	t.Fatalf("no kind is served as %s", resource)
	return nil
}

// changed applies a JSON patch; an empty one changes nothing.
func changed(t *testing.T, body, change []byte) []byte {
	t.Helper()
	if len(change) == 0 || string(change) == "null" {
		return body
	}
	p, err := jsonpatch.DecodePatch(change)
	if err != nil {
		t.Fatal(err)
	}
	if body, err = p.Apply(body); err != nil {
		t.Fatalf("%v: %s", err, change)
	}
	return body
}

func decodeAs(t *testing.T, k *kind.Kind, body []byte) object.Object {
	t.Helper()
	o := k.New()
	if err := json.Unmarshal(body, o); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return o
}

func pathSegment(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// storedForm returns an object in the form in which it is stored.
func storedForm(k *kind.Kind, o object.Object) (object.Object, *kind.Kind) {
	if k.Stored != nil {
		return k.Stored.To(o), k.Stored.Kind
	}
	return o, k
}

// placed sets an object's namespace, and removes fields that clients do not send.
func placed(k *kind.Kind, o object.Object) {
	switch {
	case !k.Namespaced:
		o.SetNamespace("")
	case o.GetNamespace() == "":
		o.SetNamespace("default")
	}
	o.SetSelfLink("")
	o.SetManagedFields(nil)
}

// made returns the outcome of creating an object.
func made(k *kind.Kind, o object.Object) outcome {
	o.SetUID("uid-1")
	o.SetCreationTimestamp(metav1.Unix(1767225600, 0))
	o.SetDeletionTimestamp(nil)
	o.SetDeletionGracePeriodSeconds(nil)
	placed(k, o)
	next, s := storedForm(k, o)
	s.Default(next)
	if s.PrepareCreate != nil {
		s.PrepareCreate(next)
	}
	validate := func() field.ErrorList { return s.Validate(next) }
	if k.Stored != nil {
		validate = func() field.ErrorList { return k.Validate(k.Stored.From(next)) }
	}
	errs := validate()
	if len(errs) == 0 {
		errs = validation.ValidateObjectMetaAccessor(next, k.Namespaced, pathSegment, field.NewPath("metadata"))
	}
	return judged(s, errs, next, nil)
}

// replaced returns the outcome of an update.
func replaced(k *kind.Kind, o, was object.Object) outcome {
	placed(k, o)
	next, s := storedForm(k, o)
	old, _ := storedForm(k, was)
	s.Default(next)
	s.Default(old)
	next.SetGeneration(old.GetGeneration())
	if s.PrepareUpdate != nil {
		s.PrepareUpdate(next, old)
	}
	if next.GetUID() == "" {
		next.SetUID(old.GetUID())
	}
	if created := old.GetCreationTimestamp(); !created.IsZero() {
		next.SetCreationTimestamp(created)
	}
	next.SetResourceVersion(old.GetResourceVersion())
	path := field.NewPath("metadata")
	errs := validation.ValidateObjectMetaAccessor(next, k.Namespaced, pathSegment, path)
	errs = append(errs, validation.ValidateObjectMetaAccessorUpdate(next, old, path)...)
	if k.Stored != nil {
		errs = append(errs, k.ValidateUpdate(k.Stored.From(next), k.Stored.From(old))...)
	} else {
		errs = append(errs, s.ValidateUpdate(next, old)...)
	}
	return judged(s, errs, next, old)
}

func judged(s *kind.Kind, errs field.ErrorList, next, old object.Object) outcome {
	out := outcome{object: next}
	for _, err := range errs {
		out.errors = append(out.errors, string(err.Type)+" "+err.Field+": "+err.Detail)
	}
	if len(errs) == 0 && s.Deprecated != "" {
		out.warnings = append(out.warnings, s.Deprecated)
	}
	if len(errs) == 0 && s.Warnings != nil {
		out.warnings = append(out.warnings, s.Warnings(next, old)...)
	}
	return out
}

// plainObject returns an object as JSON, without fields that depend on the clock or the log.
func plainObject(t *testing.T, k *kind.Kind, o object.Object) map[string]any {
	t.Helper()
	if k.Stored != nil {
		o = k.Stored.From(o)
	}
	o.GetObjectKind().SetGroupVersionKind(k.GroupVersionKind())
	body, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return plainJSON(t, k, body)
}

func plainJSON(t *testing.T, k *kind.Kind, body []byte) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatal(err)
	}
	delete(out["metadata"].(map[string]any), "resourceVersion")
	if status, ok := out["status"].(map[string]any); ok && k == pod.Kind {
		conditions, _ := status["conditions"].([]any)
		for _, c := range conditions {
			delete(c.(map[string]any), "lastTransitionTime")
		}
	}
	return out
}

func TestFacts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/fact/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no facts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			readFacts(t, file, func(k *kind.Kind, head factHead, line string, f fact) {
				base := head.Bases[f.Base]
				var got outcome
				if f.Op == "create" {
					got = made(k, decodeAs(t, k, changed(t, base.Object, f.Change)))
				} else {
					got = replaced(k, decodeAs(t, k, changed(t, base.Outcome, f.Change)), decodeAs(t, k, base.Outcome))
				}
				if !slices.Equal(f.Errors, got.errors) || !slices.Equal(f.Warnings, got.warnings) {
					t.Fatalf("%s\ngot errors %q and warnings %q", line, got.errors, got.warnings)
				}
				if len(f.Errors) > 0 {
					return
				}
				was := plainJSON(t, k, base.Outcome)
				body, err := json.Marshal(was)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(plainJSON(t, k, changed(t, body, f.Outcome)), plainObject(t, k, got.object)); d != "" {
					t.Fatalf("%s\n-want +got:\n%s", line, d)
				}
				holdsStill(t, k, got.object)
			})
		})
	}
}

// holdsStill checks what is true of every stored object: it has its defaults and can be written
// back unchanged.
func holdsStill(t *testing.T, k *kind.Kind, o object.Object) {
	t.Helper()
	s := k
	if k.Stored != nil {
		s = k.Stored.Kind
	}
	o.SetResourceVersion("1")
	again := o.DeepCopyObject().(object.Object)
	s.Default(again)
	kindtest.Diff(t, o, again)
	for _, err := range s.ValidateUpdate(again, o) {
		t.Errorf("written back unchanged: %v", err)
	}
}

// FuzzKinds: no object that can be decoded makes the functions of its kind panic.
func FuzzKinds(f *testing.F) {
	kinds := builtin.Catalogue().Stored()
	for i := range kinds {
		f.Add(uint8(i), []byte(`{"metadata":{"name":"a","namespace":"default"},"spec":{"template":{"spec":{"containers":[{"name":"c"}]}}}}`))
		f.Add(uint8(i), []byte(`{"spec":{"containers":[{}],"volumes":[{"projected":{"sources":[{}]}}]},"status":{"conditions":[{}]}}`))
	}
	f.Fuzz(func(_ *testing.T, index uint8, body []byte) {
		k := kinds[int(index)%len(kinds)]
		o, old := k.New(), k.New()
		if json.Unmarshal(body, o) != nil || json.Unmarshal(body, old) != nil {
			return
		}
		if k.Default != nil {
			k.Default(o)
			k.Default(old)
		}
		if k.PrepareCreate != nil {
			k.PrepareCreate(o)
		}
		if k.Validate == nil || len(k.Validate(o)) > 0 {
			return
		}
		if k.Warnings != nil {
			k.Warnings(o, nil)
		}
		if k.ValidateUpdate != nil {
			k.ValidateUpdate(o, old)
		}
	})
}
