package definition

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Warnings are the warnings about formats of strings that next names and that are not known; old is nil at creation. What an update
// leaves as it is gives none.
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

// unknownFormats are the formats of a definition's schemas that are not known, each as often as it is named.
func unknownFormats(def *apiextensionsv1.CustomResourceDefinition) (formats []string) {
	internal, err := toInternal(def)
	if err != nil {
		return nil // validation says so
	}
	release := environment.DefaultCompatibilityVersion()
	eachSchema(&internal.Spec, func(s *apiextensions.JSONSchemaProps) {
		if s.Format == "" {
			return
		}
		said := &spec.Schema{SchemaProps: spec.SchemaProps{Format: s.Format, Type: []string{s.Type}}}
		formats = append(formats, schemavalidation.GetUnrecognizedFormats(said, release)...)
	})
	return formats
}
