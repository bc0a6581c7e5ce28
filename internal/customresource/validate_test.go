package customresource_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/customresource"
)

// texts returns errors, one per line.
func texts(errs field.ErrorList) string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return strings.Join(all, "\n")
}

// wholeSchema uses every feature of schemas once.
const wholeSchema = `
type: object
required: [spec]
properties:
  spec:
    type: object
    required: [cron]
    x-kubernetes-validations:
    - {rule: "self.min <= self.max", message: min is above max}
    - {rule: "!has(oldSelf.frozen) || oldSelf.frozen == self.frozen", messageExpression: "'frozen as ' + oldSelf.frozen", reason: FieldValueForbidden, fieldPath: .frozen}
    properties:
      cron: {type: string, pattern: '^(\S+ ){4}\S+$', maxLength: 20}
      min: {type: integer, default: 1, minimum: 0}
      max: {type: integer, default: 3}
      mode: {type: string, enum: [slow, fast]}
      port: {x-kubernetes-int-or-string: true}
      frozen: {type: string}
      tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
      ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port], items: {type: object, required: [port], properties: {port: {type: integer}, name: {type: string}}}}
      replicas: {type: integer}
      either: {type: object, oneOf: [{required: [a]}, {required: [b]}], properties: {a: {type: string}, b: {type: string}}}
  status:
    type: object
    properties:
      replicas: {type: integer, maximum: 5}
      selector: {type: string}
`

func whole(t testing.TB) *customresource.Version {
	t.Helper()
	return compileWhole(t).Storage
}

func compileWhole(t testing.TB) *customresource.Definition {
	t.Helper()
	return defineAll(t, `
subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}}
selectableFields: [{jsonPath: .spec.mode}, {jsonPath: .spec.min}]
schema:
  openAPIV3Schema:
`+strings.ReplaceAll(wholeSchema, "\n", "\n    "))
}

func TestValidate(t *testing.T) {
	t.Parallel()
	v := whole(t)
	rows := []struct{ name, object, want string }{
		{"valid", `{spec: {cron: "* * * * *", mode: fast, port: http, tags: [a, b], ports: [{port: 1}, {port: 2}]}}`, ""},
		{"required", `{}`, `spec: Required value
<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`},
		{"types", `{spec: {cron: 1, min: a, port: 1.5}}`, `spec.cron: Invalid value: "integer": spec.cron in body must be of type string: "integer"
spec.min: Invalid value: "string": spec.min in body must be of type integer: "string"
spec.port: Invalid value: "number": spec.port in body must be of type integer,string: "number"
<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`},
		{"values", `{spec: {cron: "*", min: -1, mode: odd}}`, `spec.cron: Invalid value: "*": spec.cron in body should match '^(\S+ ){4}\S+$'
spec.min: Invalid value: -1: spec.min in body should be greater than or equal to 0
spec.mode: Unsupported value: "odd": supported values: "slow", "fast"
<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`},
		{"one of", `{spec: {cron: "* * * * *", either: {a: x, b: x}}}`,
			`<nil>: Invalid value: "": "spec.either" must validate one and only one schema (oneOf). Found 2 valid alternatives`},
		{"set", `{spec: {cron: "* * * * *", tags: [a, b, a]}}`, `spec.tags[2]: Duplicate value: "a"`},
		{"map", `{spec: {cron: "* * * * *", ports: [{port: 1}, {port: 1, name: b}]}}`, `spec.ports[1]: Duplicate value: {"port":1}`},
		{"rule", `{spec: {cron: "* * * * *", min: 4}}`, `spec: Invalid value: min is above max`},
		{"scale", `{spec: {cron: "* * * * *", replicas: -1}, status: {replicas: 3000000000}}`, `status.replicas: Invalid value: 3000000000: status.replicas in body should be less than or equal to 5
.spec.replicas: Invalid value: -1: should be a non-negative integer
.status.replicas: Invalid value: 3000000000: should be less than or equal to 2147483647`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			u := cronTab(t, row.object)
			if err := v.Default(u); err != nil {
				t.Fatal(err)
			}
			got := strings.Split(texts(v.Validate(context.Background(), u)), "\n")
			if diff := cmp.Diff(sorted(strings.Split(row.want, "\n")), sorted(got)); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidateUpdate(t *testing.T) {
	t.Parallel()
	v := whole(t)
	const cron = `cron: "* * * * *"`
	rows := []struct{ name, old, next, want string }{
		{"transition rule", `{spec: {` + cron + `, frozen: a}}`, `{spec: {` + cron + `, frozen: b}}`, `spec.frozen: Forbidden: frozen as a`},
		{"a fault that was there", `{spec: {cron: "*", mode: odd}}`, `{spec: {cron: "*", mode: odd, max: 4}}`, ``},
		{"a fault that was there, and another", `{spec: {cron: "*"}}`, `{spec: {cron: "*", mode: odd}}`, `spec.mode: Unsupported value: "odd": supported values: "slow", "fast"
<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`},
		{"a set that was none", `{spec: {` + cron + `, tags: [a, a]}}`, `{spec: {` + cron + `, tags: [a, a, a]}}`, ``},
		{"a rule that was broken, of the part that changes", `{spec: {` + cron + `, min: 5}}`, `{spec: {` + cron + `, min: 6}}`, `spec: Invalid value: min is above max`},
		{"a rule that was broken, elsewhere", `{spec: {` + cron + `, min: 5}}`, `{spec: {` + cron + `, min: 5}, status: {selector: a=b}}`, ``},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			old, next := cronTab(t, row.old), cronTab(t, row.next)
			for _, u := range []*unstructured.Unstructured{old, next} {
				u.SetResourceVersion("1")
				if err := v.Default(u); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(row.want, texts(v.ValidateUpdate(context.Background(), next, old))); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStatusUpdate(t *testing.T) {
	t.Parallel()
	v := whole(t)
	old := cronTab(t, `{spec: {cron: "*", min: 1, max: 3}, status: {replicas: 1}}`)
	old.SetResourceVersion("1")
	old.SetGeneration(3)
	next := cronTab(t, `{spec: {cron: "* * * * *", min: 9}, status: {replicas: 7}}`)
	next.SetResourceVersion("1")
	next.SetLabels(map[string]string{"a": "b"})
	v.PrepareStatusUpdate(next, old)
	want := old.DeepCopy()
	want.Object["status"] = map[string]any{"replicas": int64(7)}
	if diff := cmp.Diff(want.Object, next.Object); diff != "" {
		t.Errorf("prepared (-want +got):\n%s", diff)
	}
	const text = `status.replicas: Invalid value: 7: replicas in body should be less than or equal to 5`
	if got := texts(v.ValidateStatusUpdate(context.Background(), next, old)); got != text {
		t.Errorf("errors: %s", got)
	}
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	v := whole(t)
	u := cronTab(t, `{spec: {cron: "*"}, status: {replicas: 1}}`)
	v.PrepareCreate(u)
	if _, ok := u.Object["status"]; ok || u.GetGeneration() != 1 {
		t.Errorf("created as %v", u.Object)
	}
	next := u.DeepCopy()
	next.SetLabels(map[string]string{"a": "b"})
	next.Object["status"] = "forged"
	if v.PrepareUpdate(next, u); next.Object["status"] != nil || next.GetGeneration() != 1 {
		t.Errorf("labelled as %v", next.Object)
	}
	next.Object["spec"] = map[string]any{}
	if v.PrepareUpdate(next, u); next.GetGeneration() != 2 {
		t.Errorf("updated as %v", next.Object)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	old, next := cronTab(t, `{}`), cronTab(t, `{}`)
	old.SetFinalizers([]string{"known"})
	next.SetFinalizers([]string{"known", "foregroundDeletion", "plain", "example.com", "example.com/a", "!"})
	want := []string{
		`metadata.finalizers: "!": name part must consist of alphanumeric characters, '-', '_' or '.', ` +
			`and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', ` +
			`regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		`metadata.finalizers: "!": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
		`metadata.finalizers: "example.com": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
		`metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
	}
	if diff := cmp.Diff(want, customresource.Warnings(next, old)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestScale(t *testing.T) {
	t.Parallel()
	s := whole(t).Scale
	u := cronTab(t, `{spec: {replicas: 2}, status: {replicas: 1, selector: a=b}}`)
	scale, err := s.Get(u)
	if err != nil || scale.Name != "x" || scale.Spec.Replicas != 2 || scale.Status.Replicas != 1 || scale.Status.Selector != "a=b" {
		t.Errorf("scale %v, %v", scale, err)
	}
	if err := s.Set(u, 5); err != nil {
		t.Fatal(err)
	}
	if scale, err = s.Get(u); err != nil || scale.Spec.Replicas != 5 {
		t.Errorf("scale %v, %v", scale, err)
	}
	_, err = s.Get(cronTab(t, `{}`))
	if !errors.Is(err, customresource.ErrNoReplicas) || err.Error() != `the spec replicas field ".spec.replicas" does not exist` {
		t.Errorf("without replicas: %v", err)
	}
	if _, err = s.Get(cronTab(t, `{spec: {replicas: many}}`)); err == nil {
		t.Error("a scale of a text")
	}
	if path := s.ReplicasPath().String(); path != ".spec.replicas" {
		t.Errorf("path %s", path)
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	v := whole(t)
	if diff := cmp.Diff([]string{"spec.mode", "spec.min"}, v.SelectableFields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	got, err := v.Fields(cronTab(t, `{spec: {min: 3}}`))
	if diff := cmp.Diff(fields.Set{"spec.mode": "", "spec.min": "3"}, got); diff != "" || err != nil {
		t.Errorf("values (-want +got):\n%s%v", diff, err)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	anything := &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"old": {Type: "string"},
	}}}
	own := "use something else"
	versions := []apiextensionsv1.CustomResourceDefinitionVersion{
		{Name: "v1alpha1", Served: true, Deprecated: true, Schema: anything},
		{Name: "v1alpha2", Served: true, Deprecated: true, DeprecationWarning: &own, Schema: anything},
		{Name: "v1beta1", Schema: anything},
		{Name: "v1", Served: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object"}}},
		{Name: "v2", Storage: true, Schema: anything},
	}
	d := compile(t, versions...)
	if d.Version("v1beta1") != nil || d.Version("v2") != d.Storage || d.Storage.Served {
		t.Error("a version that is not used, or none to store in")
	}
	def := &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "stable.example.com", Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: "CronTab"}, Versions: versions,
	}}
	for name, want := range map[string]string{
		"v1alpha1": "stable.example.com/v1alpha1 CronTab is deprecated; use stable.example.com/v1 CronTab", "v1alpha2": own, "v1": "", "v9": "",
	} {
		if got := customresource.Deprecation(def, name); got != want {
			t.Errorf("%s: warning %q", name, got)
		}
	}
	u := cronTab(t, `{old: a}`)
	if err := d.Convert(u, d.Storage); err != nil || u.GetAPIVersion() != "stable.example.com/v2" || u.Object["old"] != "a" {
		t.Errorf("converted to %v: %v", u.Object, err)
	}
	if err := d.Convert(u, d.Version("v1")); err != nil || u.Object["old"] != nil {
		t.Errorf("converted to %v: %v", u.Object, err)
	}
}

// The evaluation of endless rules stops when their cost budget is used up.
func TestValidateBoundsRules(t *testing.T) {
	t.Parallel()
	v := define(t,
		`schema: {openAPIV3Schema: {type: object, properties: {text: {type: string, `+
			`x-kubernetes-validations: [{rule: "self + self + self + self + self + self + self + self + self != 'a'"}]}}}}`)
	u := cronTab(t, `{}`)
	u.Object["text"] = strings.Repeat("a", 1<<20)
	got := texts(v.Validate(context.Background(), u))
	if !strings.Contains(got, "no further validation rules will be run due to call cost exceeds limit for rule") {
		t.Errorf("errors: %s", got)
	}
}

// An object of another kind is neither pruned nor defaulted, but its rules are evaluated. An object
// whose version the definition does not have is pruned to nothing. A malformed apiVersion is an
// error.
func TestAnotherKind(t *testing.T) {
	t.Parallel()
	v := define(t, `schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer, default: 3}},
		x-kubernetes-validations: [{rule: "has(self.size)", message: no size}]}}`)
	for _, c := range []struct{ version, kind, want, errors string }{
		{"stable.example.com/v1", "CronTab", `{size: 3}`, ""},
		{"stable.example.com/v1", "Other", `{more: 1}`, "kind: Invalid value: \"Other\": must be CronTab\n<nil>: Invalid value: no size"},
		{"other.example.com/v1", "CronTab", `{more: 1}`, "apiVersion: Invalid value: \"other.example.com/v1\": must be stable.example.com/v1\n<nil>: Invalid value: no size"},
		{"stable.example.com/v9", "CronTab", `{}`, "apiVersion: Invalid value: \"stable.example.com/v9\": must be stable.example.com/v1\n<nil>: Invalid value: no size"},
	} {
		u, want := cronTab(t, `{more: 1}`), cronTab(t, c.want)
		for _, o := range []*unstructured.Unstructured{u, want} {
			o.SetAPIVersion(c.version)
			o.SetKind(c.kind)
		}
		if _, err := v.Admit(u, false); err != nil {
			t.Errorf("%s %s: %v", c.version, c.kind, err)
		}
		delete(u.Object["metadata"].(map[string]any), "creationTimestamp")
		if diff := cmp.Diff(want.Object, u.Object); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.version, c.kind, diff)
		}
		if diff := cmp.Diff(c.errors, texts(v.Validate(context.Background(), u))); diff != "" {
			t.Errorf("%s %s: errors (-want +got):\n%s", c.version, c.kind, diff)
		}
	}
	none := cronTab(t, `{}`)
	none.SetAPIVersion("a/b/c")
	if _, err := v.Admit(none, false); err == nil || err.Error() != "unexpected GroupVersion string: a/b/c" {
		t.Errorf("a malformed apiVersion: %v", err)
	}
}
