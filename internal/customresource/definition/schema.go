package definition

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// atRoot lists the fields, by their Go names, that the root of a schema may have if the status is a
// subresource, because the schema of the status is extracted from the root.
var atRoot = []string{"Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum", "MaxLength", "MinLength",
	"Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items", "Properties", "ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations"}

// checkSchema validates a schema. status is true if the status is a subresource, unchanged if an
// update does not change the schema.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// validateCustomResourceDefinitionValidation
func (c *checker) checkSchema(v *apiextensions.CustomResourceValidation, status, unchanged bool, path *field.Path) (errs field.ErrorList) {
	if v == nil {
		return nil
	}
	if v.OpenAPIV3Schema != nil {
		if errs = c.checkRoot(v.OpenAPIV3Schema, status, unchanged, path.Child("openAPIV3Schema")); len(errs) > 0 {
			return errs
		}
	}
	if _, _, err := schemavalidation.NewSchemaValidator(v.OpenAPIV3Schema); err != nil {
		return field.ErrorList{field.Invalid(path, "", fmt.Sprintf("error building validator: %v", err))}
	}
	return nil
}

func (c *checker) checkRoot(s *apiextensions.JSONSchemaProps, status, unchanged bool, path *field.Path) (errs field.ErrorList) {
	if fault := checkSize(s, path); fault != nil {
		return field.ErrorList{fault}
	}
	if status {
		errs = append(errs, checkStatusRoot(s, path)...)
	}
	if s.Nullable {
		errs = append(errs, field.Forbidden(path.Child("nullable"), "nullable cannot be true at the root"))
	}
	structure, inexpressible := c.checkStructure(s, path)
	errs = append(errs, structure...)
	w := &walk{checker: c, unchanged: unchanged}
	var root *place
	if inexpressible == nil && len(structure) == 0 {
		root = rootPlace(s)
	}
	found := w.visit(s, path, inside{root: true}, root)
	errs = append(errs, found.schema...)
	errs = append(errs, found.rules...)
	if len(errs) == 0 && inexpressible != nil {
		errs = append(errs, inexpressible)
	}
	return append(errs, w.total.check(path)...)
}

// checkStructure checks that a schema is structural, and validates its defaults. The second result
// reports a construct that structural schemas cannot express; callers use it only if there is no
// other error.
func (c *checker) checkStructure(s *apiextensions.JSONSchemaProps, path *field.Path) (errs field.ErrorList, inexpressible *field.Error) {
	structural, err := structuralschema.NewStructural(s)
	if err != nil {
		return nil, field.Invalid(path, "", err.Error())
	}
	if errs := structuralschema.ValidateStructural(path, structural); len(errs) > 0 {
		return errs, nil
	}
	errs, err = structuraldefaulting.ValidateDefaults(c.ctx, path, structural, true, true)
	if err != nil {
		return field.ErrorList{field.Invalid(path, "", err.Error())}, nil
	}
	return errs, nil
}

// checkStatusRoot validates the root of a schema whose status is a subresource.
func checkStatusRoot(s *apiextensions.JSONSchemaProps, path *field.Path) field.ErrorList {
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			continue
		}
		switch name := v.Type().Field(i).Name; {
		case name == "Type":
			if s.Type != "object" {
				return field.ErrorList{field.Invalid(path.Child("type"), s.Type,
					`only "object" is allowed as the type at the root of the schema if the status subresource is enabled`)}
			}
		case !slices.Contains(atRoot, name):
			return field.ErrorList{field.Invalid(path, *s,
				fmt.Sprintf("only %v fields are allowed at the root of the schema if the status subresource is enabled", atRoot))}
		}
	}
	return nil
}

// findings holds the errors of a schema and its descendants. Those of rules are separate, because
// rules are validated only in a schema without other errors.
type findings struct{ schema, rules field.ErrorList }

func (f *findings) add(more findings) {
	f.schema = append(f.schema, more.schema...)
	f.rules = append(f.rules, more.rules...)
}

// inside describes the ancestors of a schema.
type inside struct {
	root bool // the schema is the root itself
	meta bool // the schema is in an object's metadata, kind, or apiVersion
	// noDefaults is where defaults are forbidden, "in top-level metadata"; "" if they are allowed.
	noDefaults string
	// uncorrelated is the path of the outermost ancestor whose values cannot be matched with those
	// of the old object; nil if there is none. Rules below it cannot use oldSelf.
	uncorrelated *field.Path
}

// losing returns in for the children of a node whose values cannot be matched with old ones.
func (in inside) losing(path *field.Path) inside {
	if in.uncorrelated == nil {
		in.uncorrelated = path
	}
	return in
}

// walk visits a schema and its descendants.
type walk struct {
	*checker
	unchanged bool
	total     total
}

// visit validates a schema and its descendants. If p is nil, it does not validate rules.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinitionOpenAPISchema
func (w *walk) visit(s *apiextensions.JSONSchemaProps, path *field.Path, in inside, p *place) (f findings) {
	if s == nil {
		return findings{}
	}
	f.schema = checkSupported(s, in, path)
	if s.UniqueItems {
		f.schema = append(f.schema, field.Forbidden(path.Child("uniqueItems"), "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"))
	}
	below := in
	below.root = false
	f.add(w.visitFields(s, path, in, p))
	f.add(w.visit(s.Not, path.Child("not"), below, nil))
	for _, group := range []struct {
		name string
		all  []apiextensions.JSONSchemaProps
	}{{"allOf", s.AllOf}, {"oneOf", s.OneOf}, {"anyOf", s.AnyOf}} {
		for i := range group.all {
			f.add(w.visit(&group.all[i], path.Child(group.name).Index(i), below, nil))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Definitions)) {
		definition := s.Definitions[name]
		f.add(w.visit(&definition, path.Child("definitions").Key(name), below, nil))
	}
	f.add(w.visitItems(s, path, below, p))
	for _, name := range slices.Sorted(maps.Keys(s.Dependencies)) {
		f.add(w.visit(s.Dependencies[name].Schema, path.Child("dependencies").Key(name), below, nil))
	}
	f.schema = append(f.schema, checkExtensions(s, path)...)
	f.schema = append(f.schema, checkRules(s, path.Child("x-kubernetes-validations"))...)
	if len(s.XValidations) > 0 && len(f.schema) == 0 && p != nil {
		f.rules = append(f.rules, w.checkCompiled(s, path.Child("x-kubernetes-validations"), in, p)...)
	}
	return f
}

// visitFields validates the schemas of an object's fields.
func (w *walk) visitFields(s *apiextensions.JSONSchemaProps, path *field.Path, in inside, p *place) (f findings) {
	below := in
	below.root = false
	if more := s.AdditionalProperties; more != nil {
		if len(s.Properties) > 0 && (!more.Allows || more.Schema != nil) {
			f.schema = append(f.schema, field.Forbidden(path.Child("additionalProperties"), "additionalProperties and properties are mutual exclusive"))
		}
		of := below
		if of.meta {
			of.noDefaults = "inside additionalProperties applying to object metadata"
		}
		f.add(w.visit(more.Schema, path.Child("additionalProperties"), of, p.value(more.Schema)))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property, of := s.Properties[name], below
		if !cel.MapIsCorrelatable(s.XMapType) {
			of = of.losing(path)
		}
		if (in.root || s.XEmbeddedResource) && (name == "metadata" || name == "kind" || name == "apiVersion") {
			of.meta = true
			if in.root {
				of.noDefaults = "in top-level " + name
			}
		}
		f.add(w.visit(&property, path.Child("properties").Key(name), of, p.property(&property, name)))
	}
	return f
}

// visitItems validates the schema of a list's items. Only items of lists of type map can be matched
// with those of the old object.
func (w *walk) visitItems(s *apiextensions.JSONSchemaProps, path *field.Path, below inside, p *place) (f findings) {
	if s.Items == nil {
		return findings{}
	}
	if s.XListType == nil || *s.XListType != "map" {
		below = below.losing(path)
	}
	f.add(w.visit(s.Items.Schema, path.Child("items"), below, p.item(s.Items.Schema)))
	for i := range s.Items.JSONSchemas {
		item := &s.Items.JSONSchemas[i]
		f.add(w.visit(item, path.Child("items").Index(i), below, p.item(item)))
	}
	return f
}

// supportedTypes are the types that a schema may name.
var supportedTypes = []string{"array", "boolean", "integer", "number", "object", "string"}

// checkSupported rejects the parts of JSON Schema that a schema may not use.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// specStandardValidatorV3, validate
func checkSupported(s *apiextensions.JSONSchemaProps, in inside, path *field.Path) (errs field.ErrorList) {
	if s.Type != "" && !slices.Contains(supportedTypes, s.Type) {
		errs = append(errs, field.NotSupported(path.Child("type"), s.Type, supportedTypes))
	}
	if s.Default != nil && in.noDefaults != "" {
		errs = append(errs, field.Forbidden(path.Child("default"), "must not be set "+in.noDefaults))
	}
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"id", s.ID != ""},
		{"additionalItems", s.AdditionalItems != nil},
		{"patternProperties", len(s.PatternProperties) > 0},
		{"definitions", len(s.Definitions) > 0},
		{"dependencies", s.Dependencies != nil},
		{"$ref", s.Ref != nil},
	} {
		if f.set {
			errs = append(errs, field.Forbidden(path.Child(f.name), f.name+" is not supported"))
		}
	}
	if s.Type == "null" {
		errs = append(errs, field.Forbidden(path.Child("type"), "type cannot be set to null, use nullable as an alternative"))
	}
	if s.Items != nil && len(s.Items.JSONSchemas) > 0 {
		errs = append(errs, field.Forbidden(path.Child("items"), "items must be a schema object and not an array"))
	}
	if in.meta && s.XEmbeddedResource {
		errs = append(errs, field.Forbidden(path.Child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"))
	}
	return errs
}

// hasDefaults reports whether any schema of the spec has a default.
func hasDefaults(spec *apiextensions.CustomResourceDefinitionSpec) bool {
	found := false
	eachSchema(spec, func(s *apiextensions.JSONSchemaProps) { found = found || s.Default != nil })
	return found
}

// eachSchema visits all schemas of a spec.
func eachSchema(spec *apiextensions.CustomResourceDefinitionSpec, visit func(*apiextensions.JSONSchemaProps)) {
	if spec.Validation != nil {
		each(spec.Validation.OpenAPIV3Schema, visit)
	}
	for _, v := range spec.Versions {
		if v.Schema != nil {
			each(v.Schema.OpenAPIV3Schema, visit)
		}
	}
}

// each visits a schema and its descendants, as far as definitions may have them.
func each(s *apiextensions.JSONSchemaProps, visit func(*apiextensions.JSONSchemaProps)) {
	if s == nil {
		return
	}
	visit(s)
	if s.Items != nil {
		each(s.Items.Schema, visit)
		eachOf(s.Items.JSONSchemas, visit)
	}
	eachOf(s.AllOf, visit)
	eachOf(s.AnyOf, visit)
	eachOf(s.OneOf, visit)
	each(s.Not, visit)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		each(&property, visit)
	}
	if s.AdditionalProperties != nil {
		each(s.AdditionalProperties.Schema, visit)
	}
}

func eachOf(all []apiextensions.JSONSchemaProps, visit func(*apiextensions.JSONSchemaProps)) {
	for i := range all {
		each(&all[i], visit)
	}
}

// blank reports whether a text is empty or only white space.
func blank(text string) bool { return strings.TrimSpace(text) == "" }
