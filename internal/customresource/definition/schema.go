package definition

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// atRoot lists the fields, by their Go names, that the root of a schema may have if the status is a
// subresource, because the schema of the status is extracted from the root.
var atRoot = []string{
	"Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum",
	"MaxLength", "MinLength", "Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items",
	"Properties", "ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations",
}

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
