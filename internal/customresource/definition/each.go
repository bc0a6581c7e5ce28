package definition

import (
	"maps"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

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

// eachServed visits a schema in its v1 form and its descendants, in the order of each.
func eachServed(s *apiextensionsv1.JSONSchemaProps, visit func(*apiextensionsv1.JSONSchemaProps)) {
	if s == nil {
		return
	}
	visit(s)
	below := [][]apiextensionsv1.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf}
	if s.Items != nil {
		eachServed(s.Items.Schema, visit)
		below = slices.Insert(below, 0, s.Items.JSONSchemas)
	}
	for _, schemas := range below {
		for i := range schemas {
			eachServed(&schemas[i], visit)
		}
	}
	eachServed(s.Not, visit)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		eachServed(&property, visit)
	}
	if s.AdditionalProperties != nil {
		eachServed(s.AdditionalProperties.Schema, visit)
	}
}
