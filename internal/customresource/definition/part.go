package definition

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxSelectable is the maximum number of selectable fields of a version.
const maxSelectable = 8

// The types and formats of printer columns.
var (
	columnTypes   = []string{"boolean", "date", "integer", "number", "string"}
	columnFormats = []string{"byte", "date", "date-time", "double", "float", "int32", "int64", "password"}
)

// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceColumnDefinition
func checkColumns(columns []apiextensions.CustomResourceColumnDefinition, path *field.Path) (errs field.ErrorList) {
	for i, c := range columns {
		at := path.Index(i)
		if c.Name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
		}
		types := "must be one of " + strings.Join(columnTypes, ",")
		switch {
		case c.Type == "":
			errs = append(errs, field.Required(at.Child("type"), types))
		case !slices.Contains(columnTypes, c.Type):
			errs = append(errs, field.Invalid(at.Child("type"), c.Type, types))
		}
		if c.Format != "" && !slices.Contains(columnFormats, c.Format) {
			errs = append(errs, field.Invalid(at.Child("format"), c.Format, "must be one of "+strings.Join(columnFormats, ",")))
		}
		if c.JSONPath == "" {
			errs = append(errs, field.Required(at.Child("JSONPath"), ""))
		} else {
			errs = append(errs, checkPath(c.JSONPath, at.Child("JSONPath"))...)
		}
	}
	return errs
}

// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinitionSubresources
func checkSubresources(s *apiextensions.CustomResourceSubresources, path *field.Path) (errs field.ErrorList) {
	if s == nil || s.Scale == nil {
		return nil
	}
	for _, p := range []struct{ field, root, value string }{
		{"scale.specReplicasPath", ".spec.", s.Scale.SpecReplicasPath},
		{"scale.statusReplicasPath", ".status.", s.Scale.StatusReplicasPath},
	} {
		at := path.Child(p.field)
		if p.value == "" {
			errs = append(errs, field.Required(at, ""))
		} else if faults := checkPath(p.value, at); len(faults) > 0 {
			errs = append(errs, faults...)
		} else if !strings.HasPrefix(p.value, p.root) {
			errs = append(errs, field.Invalid(at, p.value, "should be a json path under "+strings.TrimSuffix(p.root, ".")))
		}
	}
	if selector := s.Scale.LabelSelectorPath; selector != nil && *selector != "" {
		at := path.Child("scale.labelSelectorPath")
		if faults := checkPath(*selector, at); len(faults) > 0 {
			errs = append(errs, faults...)
		} else if !strings.HasPrefix(*selector, ".spec.") && !strings.HasPrefix(*selector, ".status.") {
			errs = append(errs, field.Invalid(at, selector, "should be a json path under either .spec or .status"))
		}
	}
	return errs
}

// checkPath validates the form of a JSON path that is not empty.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, validateSimpleJSONPath
func checkPath(text string, path *field.Path) field.ErrorList {
	if text[0] != '.' {
		return field.ErrorList{field.Invalid(path, text, "must be a simple json path starting with .")}
	}
	return nil
}

// checkSelectable validates the selectable fields; path is that of the version.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceSelectableFields
//
// Differs: paths into a schema that is not structural are not validated. Upstream panics on them.
func checkSelectable(all []apiextensions.SelectableField, props *apiextensions.JSONSchemaProps, path *field.Path) (errs field.ErrorList) {
	schema, err := structuralschema.NewStructural(props)
	if err != nil {
		return field.ErrorList{field.Invalid(path.Child("schema.openAPIV3Schema"), "", err.Error())}
	}
	path = path.Child("selectableFields")
	known := sets.New[string]()
	for i, f := range all {
		at := path.Index(i).Child("jsonPath")
		if f.JSONPath == "" {
			errs = append(errs, field.Required(at, ""))
			continue
		}
		leads, found, err := cel.ValidFieldPath(f.JSONPath, schema, cel.WithFieldPathAllowArrayNotation(false))
		if err != nil {
			errs = append(errs, field.Invalid(at, f.JSONPath, fmt.Sprintf("is an invalid path: %v", err)))
			continue
		}
		if leads.Root().String() == "metadata" {
			errs = append(errs, field.Invalid(at, f.JSONPath, "must not point to fields in metadata"))
		}
		if found == nil || found.Type != "string" && found.Type != "boolean" && found.Type != "integer" {
			errs = append(errs, field.Invalid(at, f.JSONPath,
				"must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."))
		}
		if known.Has(leads.String()) {
			errs = append(errs, field.Duplicate(at, f.JSONPath))
		}
		known.Insert(leads.String())
	}
	if known.Len() > maxSelectable {
		errs = append(errs, field.TooMany(path, known.Len(), maxSelectable))
	}
	return errs
}
