package definition

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Warnings returns a warning for each unknown string format in next; old is nil at creation.
// Formats that old already has give no warning.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go, WarningsOnUpdate
func Warnings(next, old *apiextensionsv1.CustomResourceDefinition) (warnings []string) {
	known := sets.New[string]()
	if old != nil {
		known.Insert(unknownFormats(old)...)
	}
	for _, format := range unknownFormats(next) {
		if !known.Has(format) {
			warnings = append(warnings, fmt.Sprintf("unrecognized format %q", format))
		}
	}
	return warnings
}

// unknownFormats returns the unknown formats in a definition's schemas, once per use.
func unknownFormats(def *apiextensionsv1.CustomResourceDefinition) (formats []string) {
	release := environment.DefaultCompatibilityVersion()
	for i := range def.Spec.Versions {
		if v := &def.Spec.Versions[i]; v.Schema != nil {
			eachServed(v.Schema.OpenAPIV3Schema, func(s *apiextensionsv1.JSONSchemaProps) {
				if s.Format != "" {
					said := &spec.Schema{SchemaProps: spec.SchemaProps{Format: s.Format, Type: []string{s.Type}}}
					formats = append(formats, schemavalidation.GetUnrecognizedFormats(said, release)...)
				}
			})
		}
	}
	return formats
}
