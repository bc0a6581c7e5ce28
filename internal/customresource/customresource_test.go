package customresource_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/customresource"
)

// define compiles a definition of CronTabs with one version; version is the YAML of its fields
// after the name.
func define(t testing.TB, version string) *customresource.Version {
	t.Helper()
	return defineAll(t, version).Storage
}

func defineAll(t testing.TB, version string) *customresource.Definition {
	t.Helper()
	var v apiextensionsv1.CustomResourceDefinitionVersion
	if err := yaml.UnmarshalStrict([]byte(version), &v); err != nil {
		t.Fatal(err)
	}
	v.Name, v.Served, v.Storage = "v1", true, true
	return compile(t, v)
}

func compile(t testing.TB, versions ...apiextensionsv1.CustomResourceDefinitionVersion) *customresource.Definition {
	t.Helper()
	def := &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "stable.example.com", Scope: apiextensionsv1.NamespaceScoped,
		Names:    apiextensionsv1.CustomResourceDefinitionNames{Plural: "crontabs", Singular: "crontab", Kind: "CronTab", ListKind: "CronTabList"},
		Versions: versions,
	}}
	d, err := customresource.Compile(def)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// cronTab returns the v1 CronTab default/x; fields is the YAML of its fields other than metadata.
func cronTab(t testing.TB, fields string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{Object: decode(t, fields)}
	u.SetAPIVersion("stable.example.com/v1")
	u.SetKind("CronTab")
	u.SetNamespace("default")
	u.SetName("x")
	return u
}

func decode(t testing.TB, text string) map[string]any {
	t.Helper()
	body, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	u := &unstructured.Unstructured{}
	if string(body) == "null" {
		return map[string]any{}
	}
	body = append([]byte(`{"kind":"any",`), body[1:]...)
	if string(body[len(body)-2:]) == ",}" {
		body = []byte(`{"kind":"any"}`)
	}
	if err := u.UnmarshalJSON(body); err != nil {
		t.Fatal(err)
	}
	delete(u.Object, "kind")
	return u.Object
}

func sorted(lines []string) []string {
	slices.Sort(lines)
	return lines
}

func TestAdmit(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, schema, sent, want string
		unknown                  []string
	}{
		{
			name:   "fields that the schema does not name are pruned",
			schema: `{type: object, properties: {spec: {type: object, properties: {cron: {type: string}}}}}`,
			sent:   `{spec: {cron: "* * * * *", image: nginx, deep: {er: 1}}, more: 1}`,
			want:   `{spec: {cron: "* * * * *"}}`,
			unknown: []string{
				`unknown field "more"`, `unknown field "spec.deep"`, `unknown field "spec.image"`,
			},
		},
		{
			name:   "fields are kept where the schema preserves unknown ones, and pruned again below",
			schema: `{type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {in: {type: object}}}}}`,
			sent:   `{spec: {any: {thing: 1}, in: {none: 1}}}`,
			want:   `{spec: {any: {thing: 1}, in: {}}}`,
			unknown: []string{
				`unknown field "spec.in.none"`,
			},
		},
		{
			name: "defaults are filled in from the outside in",
			schema: `{type: object, properties: {spec: {type: object, default: {}, properties: {n: {type: integer, ` +
				`default: 3}, m: {type: object, additionalProperties: {type: object, properties: {a: {type: string, ` +
				`default: b}}}}}}}}`,
			sent: `{}`,
			want: `{spec: {n: 3}}`,
		},
		{
			name:   "null becomes the default where it is not allowed",
			schema: `{type: object, properties: {a: {type: string, default: x}, b: {type: string, nullable: true, default: y}, c: {type: string}}}`,
			sent:   `{a: null, b: null, c: null}`,
			want:   `{a: x, b: null}`,
		},
		{
			name: "items of lists and values of maps are completed",
			schema: `{type: object, properties: {l: {type: array, items: {type: object, properties: {p: {type: integer, ` +
				`default: 80}}}}, m: {type: object, additionalProperties: {type: object, properties: {p: {type: integer, ` +
				`default: 81}}}}}}`,
			sent: `{l: [{}, {p: 1, q: 1}], m: {k: {}}}`,
			want: `{l: [{p: 80}, {p: 1}], m: {k: {p: 81}}}`,
			unknown: []string{
				`unknown field "l[1].q"`,
			},
		},
		{
			name:   "embedded resources keep their metadata",
			schema: `{type: object, properties: {t: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}}}`,
			sent:   `{t: {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {a: b}, unknown: 1}, spec: {a: 1}, more: 1}}`,
			want:   `{t: {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {a: b}}, spec: {}}}`,
			unknown: []string{
				`unknown field "t.more"`, `unknown field "t.spec.a"`, `unknown field "t.metadata.unknown"`,
			},
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			v := define(t, "schema: {openAPIV3Schema: "+row.schema+"}")
			u := cronTab(t, row.sent)
			unknown, err := v.Admit(u, true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.unknown, unknown); diff != "" {
				t.Errorf("unknown fields (-want +got):\n%s", diff)
			}
			want := cronTab(t, row.want)
			if _, err := define(t, "schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}").Admit(want, false); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.Object, u.Object); diff != "" {
				t.Errorf("object (-want +got):\n%s", diff)
			}
			if errs := v.Validate(context.Background(), u); len(errs) > 0 {
				t.Errorf("errors: %v", errs)
			}
		})
	}
}

func TestAdmitRefusesBadMetadata(t *testing.T) {
	t.Parallel()
	v := define(t, "schema: {openAPIV3Schema: {type: object}}")
	u := cronTab(t, `{}`)
	u.Object["metadata"].(map[string]any)["labels"] = map[string]any{"a": int64(1)}
	if _, err := v.Admit(u, false); err == nil {
		t.Error("a label that is a number was admitted")
	}
	if err := v.Restore(u); err != nil {
		t.Fatal(err)
	}
	if labels := u.GetLabels(); labels != nil || u.GetGeneration() != 1 {
		t.Errorf("restored with labels %v and generation %d", labels, u.GetGeneration())
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	v := define(t, `
additionalPrinterColumns:
- {name: Cron, type: string, jsonPath: .spec.cron}
- {name: Replicas, type: integer, jsonPath: .spec.replicas, priority: 1, description: wanted}
- {name: Share, type: number, jsonPath: .spec.replicas}
- {name: Live, type: boolean, jsonPath: .spec.live}
- {name: Since, type: date, jsonPath: .spec.since}
- {name: First, type: string, jsonPath: '.spec.list[0].name'}
- {name: Whole, type: string, jsonPath: .spec.list}
schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}`)
	var names []string
	for _, c := range v.Columns() {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{"Name", "Cron", "Replicas", "Share", "Live", "Since", "First", "Whole"}, names); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	now := time.Date(2026, 1, 1, 0, 10, 0, 0, time.UTC)
	rows := []struct {
		name, object string
		want         []any
	}{
		{"all cells", `{spec: {cron: "* *", replicas: 3, live: true, since: "2026-01-01T00:00:00Z", list: [{name: a}, {name: b}]}}`,
			[]any{"x", "* *", int64(3), float64(3), true, "10m", "a", `[{"name":"a"},{"name":"b"}]`}},
		{"nothing there", `{}`, []any{"x", nil, nil, nil, nil, nil, nil, nil}},
		{"other types", `{spec: {cron: 1, replicas: many, live: "yes", since: yesterday, list: []}}`,
			[]any{"x", "1", nil, nil, nil, "<invalid>", nil, "[]"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(row.want, v.Row(cronTab(t, row.object), now)); diff != "" {
				t.Errorf("row (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRowsWithoutColumns(t *testing.T) {
	t.Parallel()
	v := define(t, "schema: {openAPIV3Schema: {type: object}}")
	if columns := v.Columns(); len(columns) != 2 || columns[1].Name != "Age" || columns[1].Type != "date" {
		t.Errorf("columns %v", columns)
	}
	u := cronTab(t, `{}`)
	u.Object["metadata"].(map[string]any)["creationTimestamp"] = "2026-01-01T00:00:00Z"
	want := []any{"x", "3h"}
	if diff := cmp.Diff(want, v.Row(u, time.Date(2026, 1, 1, 3, 0, 0, 0, time.UTC))); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
}
