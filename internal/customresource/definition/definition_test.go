package definition_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/customresource/definition"
)

// parse returns a definition of CronTabs, defaulted and prepared for creation. text is YAML that is
// merged into a definition without versions.
func parse(t testing.TB, text string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	def := &apiextensionsv1.CustomResourceDefinition{}
	def.Name = "crontabs.stable.example.com"
	def.Spec.Group, def.Spec.Scope = "stable.example.com", "Namespaced"
	def.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: "crontabs", Kind: "CronTab"}
	if err := yaml.UnmarshalStrict([]byte(text), def); err != nil {
		t.Fatal(err)
	}
	definition.Default(def)
	definition.PrepareCreate(def)
	return def
}

// withSchema returns a definition with one version that has the given schema.
func withSchema(t testing.TB, schema string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	return parse(t, "spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: "+schema+"}}]}")
}

func texts(errs field.ErrorList) string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return strings.Join(all, "\n")
}

func TestDefault(t *testing.T) {
	t.Parallel()
	def := withSchema(t, "{type: object}")
	want := apiextensionsv1.CustomResourceDefinitionNames{Plural: "crontabs", Singular: "crontab", Kind: "CronTab", ListKind: "CronTabList"}
	if diff := cmp.Diff(want, def.Spec.Names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if c := def.Spec.Conversion; c == nil || c.Strategy != apiextensionsv1.NoneConverter {
		t.Errorf("conversion %v", c)
	}
	if diff := cmp.Diff([]string{"v1"}, def.Status.StoredVersions); diff != "" {
		t.Errorf("stored versions (-want +got):\n%s", diff)
	}
	if errs := definition.Validate(context.Background(), def); len(errs) > 0 {
		t.Errorf("errors: %v", errs)
	}
}

// The expected texts equal upstream's for these cases and for the cases of its own tests.
func TestValidate(t *testing.T) {
	t.Parallel()
	const version = `name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}`
	rows := []struct{ name, definition, want string }{
		{"no versions", `{}`, `spec.versions: Invalid value: null: must have exactly one version marked as storage version
status.storedVersions: Invalid value: null: must have at least one stored version`},
		{"two storage versions", `spec: {versions: [{` + version + `}, {` + strings.Replace(version, "v1", "v2", 1) + `}]}`,
			`must have exactly one version marked as storage version`},
		{"no schema", `spec: {versions: [{name: v1, served: true, storage: true}]}`, `spec.versions[0].schema.openAPIV3Schema: Required value`},
		{"another name", `{metadata: {name: x.stable.example.com}, spec: {versions: [{` + version + `}]}}`,
			`metadata.name: Invalid value: "x.stable.example.com": must be spec.names.plural+"."+spec.group`},
		{"unknown fields kept", `spec: {preserveUnknownFields: true, versions: [{` + version + `}]}`,
			`spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead`},
		{"a group of Kubernetes", `{metadata: {name: crontabs.x.k8s.io}, spec: {group: x.k8s.io, versions: [{` + version + `}]}}`,
			`metadata.annotations[api-approved.kubernetes.io]: Required value: ` +
				`protected groups must have approval annotation "api-approved.kubernetes.io", ` +
				`see https://github.com/kubernetes/enhancements/pull/1111`},
		{"columns", `spec: {versions: [{` + version + `, additionalPrinterColumns: [{name: "", type: text, jsonPath: spec, format: x}]}]}`,
			`spec.additionalPrinterColumns[0].name: Required value
spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string
spec.additionalPrinterColumns[0].format: Invalid value: "x": must be one of byte,date,date-time,double,float,int32,int64,password
spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .`},
		{"scale", `spec: {versions: [{` + version + `, subresources: {scale: {specReplicasPath: .status.a, statusReplicasPath: status.b, labelSelectorPath: .metadata.x}}}]}`,
			`spec.subresources.scale.specReplicasPath: Invalid value: ".status.a": should be a json path under .spec
spec.subresources.scale.statusReplicasPath: Invalid value: "status.b": must be a simple json path starting with .
spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.x": should be a json path under either .spec or .status`},
		{"selectable fields", `spec: {versions: [{` + version + `, selectableFields: [{jsonPath: .spec.a}, {jsonPath: .metadata.name}]}]}`,
			`spec.selectableFields[0].jsonPath: Invalid value: ".spec.a": is an invalid path: does not refer to a valid field
spec.selectableFields[1].jsonPath: Invalid value: ".metadata.name": is an invalid path: does not refer to a valid field`},
		{"selectable fields of a schema that is not structural", `spec: {versions: [{name: v1, served: true, storage: true, selectableFields: [{jsonPath: .spec.a}],
			schema: {openAPIV3Schema: {type: object, properties: {spec: {type: array, items: [{type: string}]}}}}}]}`,
			`spec.schema.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema 'items' must be a schema, but is an array`},
		{"webhook", `spec: {conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v3], clientConfig: {url: "http://u:p@/x?y#z"}}}, versions: [{` + version + `}]}`,
			`spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]
spec.conversion.webhookClientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]
spec.conversion.webhookClientConfig.url: Invalid value: "u:p": user information is not permitted in the URL
spec.conversion.webhookClientConfig.url: Invalid value: "z": fragments are not permitted in the URL
spec.conversion.webhookClientConfig.url: Invalid value: "y": query parameters are not permitted in the URL
spec.conversion.conversionReviewVersions: Invalid value: ["v3"]: must include at least one of v1, v1beta1`},
		{"service",
			`spec: {conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1, v1], ` +
				`clientConfig: {service: {name: "", namespace: a, path: /A//b, port: 0}}}}, versions: [{` + version + `}]}`,
			`spec.conversion.webhookClientConfig.service.namespace: Required value
spec.conversion.webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive
spec.conversion.webhookClientConfig.service.path: Invalid value: "/A//b": segment[0]: a lowercase RFC 1123 subdomain`},
		{"deprecation", `spec: {versions: [{` + version + `, deprecationWarning: old}]}`,
			`spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions`},
		{"names", `spec: {names: {plural: crontabs, kind: CronTab, listKind: CronTab, shortNames: [A], categories: [B_]}, versions: [{` + version + `}]}`,
			`spec.names.shortNames[0]: Invalid value: "A": a DNS-1035 label must consist of`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			expect(t, row.want, texts(definition.Validate(context.Background(), parse(t, row.definition))))
		})
	}
}

// expect checks that for each line of want, an error starts or ends with it.
func expect(t testing.TB, want, got string) {
	t.Helper()
	if want == "" && got != "" {
		t.Errorf("errors:\n%s", got)
	}
	for _, line := range strings.Split(want, "\n") {
		if !strings.Contains(got, line) {
			t.Errorf("no error\n%s\nin\n%s", line, got)
		}
	}
}

func TestValidateSchema(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, schema, want string }{
		{"whole", `{type: object, properties: {spec: {type: object, properties: {count: {type: integer, default: 3}}}}}`, ""},
		{"no types", `{properties: {spec: {}}}`, `spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root`},
		{"default of another type", `{type: object, properties: {count: {type: integer, default: x}}}`,
			`spec.validation.openAPIV3Schema.properties[count].default: Invalid value: "string":  in body must be of type integer: "string"`},
		{"default in metadata", `{type: object, properties: {metadata: {type: object, properties: {name: {type: string, default: x}}}}}`,
			`spec.validation.openAPIV3Schema.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata`},
		{"reference to itself", `{type: object, properties: {a: {$ref: "#"}}}`, `spec.validation.openAPIV3Schema.properties[a].$ref: Forbidden: $ref is not supported`},
		{"nullable root", `{type: object, nullable: true}`, `spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root`},
		{"unique items", `{type: object, properties: {l: {type: array, uniqueItems: true, items: {type: string}}}}`,
			`spec.validation.openAPIV3Schema.properties[l].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`},
		{"bad pattern", `{type: object, properties: {s: {type: string, pattern: "("}}}`, `error parsing regexp`},
		{"map without keys", `{type: object, properties: {l: {type: array, x-kubernetes-list-type: map, items: {type: object}}}}`,
			`spec.validation.openAPIV3Schema.properties[l].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`},
		{"keys that may be missing",
			`{type: object, properties: {l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, k, m], ` +
				`items: {type: object, properties: {k: {type: string, nullable: true}}}}}}`,
			`spec.validation.openAPIV3Schema.properties[l].x-kubernetes-list-map-keys: Invalid value: ["k","k","m"]: must not contain duplicate entries
spec.validation.openAPIV3Schema.properties[l].x-kubernetes-list-map-keys: Invalid value: ["k","k","m"]: entries must all be names of item properties
spec.validation.openAPIV3Schema.properties[l].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property
spec.validation.openAPIV3Schema.properties[l].items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`},
		{"set of objects", `{type: object, properties: {l: {type: array, x-kubernetes-list-type: set, items: {type: object}}}}`,
			`spec.validation.openAPIV3Schema.properties[l].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`},
		{"rule", `{type: object, properties: {count: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}}}`, ""},
		{"rule that does not compile", `{type: object, properties: {count: {type: integer, x-kubernetes-validations: [{rule: self > 'a'}]}}}`,
			`spec.validation.openAPIV3Schema.properties[count].x-kubernetes-validations[0].rule: Invalid value: ` +
				`{"Rule":"self \u003e 'a'","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: ` +
				`compilation failed: ERROR: <input>:1:6: found no matching overload for '_>_' applied to '(int, string)'`},
		{"rule that is no bool", `{type: object, x-kubernetes-validations: [{rule: "1"}]}`, `cel expression must evaluate to a bool`},
		{"rule without bounds", `{type: object, properties: {l: {type: array, items: {type: string}, x-kubernetes-validations: [{rule: "self.all(x, self.all(y, x == y))"}]}}}`,
			`spec.validation.openAPIV3Schema.properties[l].x-kubernetes-validations[0].rule: Forbidden: ` +
				`estimated rule cost exceeds budget by factor of more than 100x ` +
				`(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)
spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x`},
		{"old values of items", `{type: object, properties: {l: {type: array, maxItems: 3, items: {type: string, maxLength: 3, x-kubernetes-validations: [{rule: self == oldSelf}]}}}}`,
			`spec.validation.openAPIV3Schema.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: ` +
				`"self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ` +
				`spec.validation.openAPIV3Schema.properties[l]`},
		{"message",
			`{type: object, x-kubernetes-validations: [{rule: "true", message: "a\nb", messageExpression: " ", ` +
				`reason: Nonsense, fieldPath: .nothing}, {rule: " "}, {rule: "true\n"}, {rule: "true", optionalOldSelf: true}]}`,
			`spec.validation.openAPIV3Schema.x-kubernetes-validations[0].message: Invalid value: "a\nb": must not contain line breaks
spec.validation.openAPIV3Schema.x-kubernetes-validations[0].messageExpression: Required value: messageExpression must be non-empty if specified
spec.validation.openAPIV3Schema.x-kubernetes-validations[0].reason: Unsupported value: "Nonsense": ` +
				`supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"
spec.validation.openAPIV3Schema.x-kubernetes-validations[0].fieldPath: Invalid value: ".nothing": must be a valid path
spec.validation.openAPIV3Schema.x-kubernetes-validations[1].rule: Required value: rule is not specified`},
		{"optional old value that is not used", `{type: object, x-kubernetes-validations: [{rule: "true", optionalOldSelf: true}]}`,
			`spec.validation.openAPIV3Schema.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			expect(t, row.want, texts(definition.Validate(context.Background(), withSchema(t, row.schema))))
		})
	}
}

// If the status is a subresource, its schema must be at the root.
func TestValidateStatusRoot(t *testing.T) {
	t.Parallel()
	def := withSchema(t, "{type: object, anyOf: [{required: [a]}]}")
	def.Spec.Versions[0].Subresources = &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}}
	expect(t, "fields are allowed at the root of the schema if the status subresource is enabled", texts(definition.Validate(context.Background(), def)))
}

func TestValidateUpdate(t *testing.T) {
	t.Parallel()
	base := withSchema(t, "{type: object}")
	established := base.DeepCopy()
	established.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionTrue}}
	rows := []struct {
		name   string
		old    *apiextensionsv1.CustomResourceDefinition
		change func(*apiextensionsv1.CustomResourceDefinition)
		want   string
	}{
		{"kind before it is established", base, func(d *apiextensionsv1.CustomResourceDefinition) { d.Spec.Names.Kind = "Other" }, ""},
		{"kind", established, func(d *apiextensionsv1.CustomResourceDefinition) { d.Spec.Names.Kind = "Other" },
			`spec.names.kind: Invalid value: "Other": field is immutable`},
		{"scope", established, func(d *apiextensionsv1.CustomResourceDefinition) { d.Spec.Scope = "Cluster" },
			`spec.scope: Invalid value: "Cluster": field is immutable`},
		{"group", base, func(d *apiextensionsv1.CustomResourceDefinition) { d.Spec.Group = "example.com" },
			`spec.group: Invalid value: "example.com": field is immutable`},
		{"a version that was stored", base, func(d *apiextensionsv1.CustomResourceDefinition) { d.Spec.Versions[0].Name = "v2" },
			`status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; ` +
				`v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data ` +
				`remains persisted in v1 and removes v1 from status.storedVersions`},
		{"certificates that cannot be read", established, func(d *apiextensionsv1.CustomResourceDefinition) {
			url := "https://example.com"
			d.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter, Webhook: &apiextensionsv1.WebhookConversion{
				ConversionReviewVersions: []string{"v1"}, ClientConfig: &apiextensionsv1.WebhookClientConfig{URL: &url, CABundle: []byte("no")},
			}}
		}, `spec.conversion.webhookClientConfig.caBundle: Invalid value: "bm8=": unable to load root certificates: unable to parse bytes as PEM block`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			next := row.old.DeepCopy()
			next.ResourceVersion = "1"
			row.change(next)
			definition.PrepareUpdate(next, row.old)
			if next.Generation != 2 {
				t.Errorf("generation %d", next.Generation)
			}
			expect(t, row.want, texts(definition.ValidateUpdate(context.Background(), next, row.old)))
		})
	}
}

// A schema that an update does not change may keep rules that are too costly for a new schema.
func TestUpdateKeepsCostlyRules(t *testing.T) {
	t.Parallel()
	old := withSchema(t, `{type: object, properties: {l: {type: array, maxItems: 2000, items: {type: string, maxLength: 3}, x-kubernetes-validations: [{rule: "self.all(x, self.exists(y, x == y))"}]}}}`)
	if errs := definition.Validate(context.Background(), old); len(errs) != 1 {
		t.Errorf("errors: %v", errs)
	}
	next := old.DeepCopy()
	next.ResourceVersion = "1"
	next.Spec.Names.ShortNames = []string{"ct"}
	if errs := definition.ValidateUpdate(context.Background(), next, old); len(errs) > 0 {
		t.Errorf("errors: %v", errs)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	old := withSchema(t, `{type: object, properties: {a: {type: string, format: colour}}}`)
	next := withSchema(t, `{type: object, properties: {a: {type: string, format: colour}, b: {type: string, format: taste}, c: {type: string, format: date}}}`)
	if diff := cmp.Diff([]string{`unrecognized format "colour"`, `unrecognized format "taste"`}, definition.Warnings(next, nil)); diff != "" {
		t.Errorf("at creation (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`unrecognized format "taste"`}, definition.Warnings(next, old)); diff != "" {
		t.Errorf("at an update (-want +got):\n%s", diff)
	}
}

// A schema that would take gigabytes to validate, or minutes to compile, is rejected at once.
func TestValidateBounds(t *testing.T) {
	t.Parallel()
	deep := apiextensionsv1.JSONSchemaProps{}
	for range 9_000 { // encoding/json allows 10,000
		inner := deep
		deep = apiextensionsv1.JSONSchemaProps{Not: &inner}
	}
	wide := apiextensionsv1.JSONSchemaProps{AllOf: make([]apiextensionsv1.JSONSchemaProps, 50_000)}
	rules := make([]apiextensionsv1.ValidationRule, 5_000)
	for i := range rules {
		rules[i].Rule = "true"
	}
	patterns := map[string]apiextensionsv1.JSONSchemaProps{}
	for i := range 5_000 { // the cost of each grows with their number
		patterns[fmt.Sprint(i)] = apiextensionsv1.JSONSchemaProps{Type: "string", Pattern: fmt.Sprint(i)}
	}
	rows := []struct {
		name, want string
		schema     apiextensionsv1.JSONSchemaProps
	}{
		{"many patterns", "the patterns are too large", apiextensionsv1.JSONSchemaProps{Type: "object", Properties: patterns}},
		{"deep", "too many fields are nested too deeply, or under names that are too long", deep},
		{"long names", "too many fields are nested too deeply, or under names that are too long",
			apiextensionsv1.JSONSchemaProps{Properties: map[string]apiextensionsv1.JSONSchemaProps{strings.Repeat("x", 10_000): wide}}},
		{"patterns", "the patterns are too large", apiextensionsv1.JSONSchemaProps{Type: "string", Pattern: "(" + strings.Repeat("ab?", 1_000) + "){1000}"}},
		{"rules", "there are too many x-kubernetes-validations, or they are too long", apiextensionsv1.JSONSchemaProps{Type: "object", XValidations: rules}},
		{"a long rule", "there are too many x-kubernetes-validations, or they are too long", apiextensionsv1.JSONSchemaProps{
			Type: "object", XValidations: apiextensionsv1.ValidationRules{{Rule: strings.Repeat("!", 1<<20) + "true"}},
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			def := withSchema(t, "{}")
			def.Spec.Versions[0].Schema.OpenAPIV3Schema = &row.schema
			expect(t, "spec.validation.openAPIV3Schema: Forbidden: "+row.want, texts(definition.Validate(context.Background(), def)))
		})
	}
}
