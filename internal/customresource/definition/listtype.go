package definition

import (
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// checkExtensions validates the x-kubernetes extensions of a schema, except rules.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinitionOpenAPISchema
func checkExtensions(s *apiextensions.JSONSchemaProps, path *field.Path) (errs field.ErrorList) {
	if s.XPreserveUnknownFields != nil && !*s.XPreserveUnknownFields {
		errs = append(errs, field.Invalid(path.Child("x-kubernetes-preserve-unknown-fields"), *s.XPreserveUnknownFields, "must be true or undefined"))
	}
	if s.XMapType != nil {
		errs = append(errs, requireType(s, "object", "x-kubernetes-map-type", path)...)
		if *s.XMapType != "atomic" && *s.XMapType != "granular" {
			errs = append(errs, field.NotSupported(path.Child("x-kubernetes-map-type"), *s.XMapType, []string{"atomic", "granular"}))
		}
	}
	if s.XListType != nil {
		wrong := requireType(s, "array", "x-kubernetes-list-type", path)
		errs = append(errs, wrong...)
		if len(wrong) == 0 && *s.XListType == "set" {
			errs = append(errs, checkSet(s, path.Child("items"))...)
		}
		if !slices.Contains([]string{"atomic", "set", "map"}, *s.XListType) {
			errs = append(errs, field.NotSupported(path.Child("x-kubernetes-list-type"), *s.XListType, []string{"atomic", "set", "map"}))
		}
	}
	if len(s.XListMapKeys) > 0 {
		const only = "must be map if x-kubernetes-list-map-keys is non-empty"
		if s.XListType == nil {
			errs = append(errs, field.Required(path.Child("x-kubernetes-list-type"), only))
		} else if *s.XListType != "map" {
			errs = append(errs, field.Invalid(path.Child("x-kubernetes-list-type"), *s.XListType, only))
		}
	}
	if s.XListType != nil && *s.XListType == "map" {
		errs = append(errs, checkMap(s, path)...)
	}
	return append(errs, checkPresent(s, path.Child("items"))...)
}

// requireType checks that a schema with an extension has the type that the extension needs.
func requireType(s *apiextensions.JSONSchemaProps, wanted, extension string, path *field.Path) field.ErrorList {
	text := "must be " + wanted + " if " + extension + " is specified"
	switch s.Type {
	case wanted:
		return nil
	case "":
		return field.ErrorList{field.Required(path.Child("type"), text)}
	}
	return field.ErrorList{field.Invalid(path.Child("type"), s.Type, text)}
}

// checkSet validates the items of a set, which are compared as a whole; path is that of the items.
func checkSet(s *apiextensions.JSONSchemaProps, path *field.Path) field.ErrorList {
	if s.Items == nil || s.Items.Schema == nil {
		return nil
	}
	item := s.Items.Schema
	const text = "must be atomic as item of a list with x-kubernetes-list-type=set"
	switch item.Type {
	case "array":
		if item.XListType != nil && *item.XListType != "atomic" {
			return field.ErrorList{field.Invalid(path.Child("x-kubernetes-list-type"), item.XListType, text)}
		}
	case "object":
		if item.XMapType == nil || *item.XMapType != "atomic" {
			return field.ErrorList{field.Invalid(path.Child("x-kubernetes-map-type"), item.XListType, text)}
		}
	}
	return nil
}

// checkMap validates the keys of a list of type map.
func checkMap(s *apiextensions.JSONSchemaProps, path *field.Path) (errs field.ErrorList) {
	items, keys := path.Child("items"), path.Child("x-kubernetes-list-map-keys")
	if len(s.XListMapKeys) == 0 {
		errs = append(errs, field.Required(keys, "must not be empty if x-kubernetes-list-type is map"))
	}
	switch {
	case s.Items == nil:
		return append(errs, field.Required(items, "must have a schema if x-kubernetes-list-type is map"))
	case s.Items.Schema == nil:
		return append(errs, field.Invalid(items, s.Items, "must only have a single schema if x-kubernetes-list-type is map"))
	case s.Items.Schema.Type != "object":
		return append(errs, field.Invalid(items.Child("type"), s.Items.Schema.Type, "must be object if parent array's x-kubernetes-list-type is map"))
	}
	for i, key := range s.XListMapKeys {
		property, ok := s.Items.Schema.Properties[key]
		switch {
		case !ok:
			errs = append(errs, field.Invalid(keys, s.XListMapKeys, "entries must all be names of item properties"))
		case property.Type == "array" || property.Type == "object":
			errs = append(errs, field.Invalid(items.Child("properties").Key(key).Child("type"), s.Items.Schema.Type,
				"must be a scalar type if parent array's x-kubernetes-list-type is map"))
		}
		if slices.Contains(s.XListMapKeys[:i], key) {
			errs = append(errs, field.Invalid(keys, s.XListMapKeys, "must not contain duplicate entries"))
		}
	}
	return errs
}

// checkPresent checks that items of sets and maps, and the keys of maps, are required or have a
// default; path is that of the items.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, validateMapListKeysMapSet
func checkPresent(s *apiextensions.JSONSchemaProps, path *field.Path) (errs field.ErrorList) {
	if s.XListType == nil || *s.XListType != "set" && *s.XListType != "map" || s.Items == nil || s.Items.Schema == nil {
		return nil
	}
	item := s.Items.Schema
	if item.Nullable {
		errs = append(errs, field.Forbidden(path.Child("nullable"), "cannot be nullable when x-kubernetes-list-type is "+*s.XListType))
	}
	if *s.XListType == "set" {
		return errs
	}
	for _, key := range s.XListMapKeys {
		property, ok := item.Properties[key]
		if !ok {
			continue // checkMap reports it
		}
		at := path.Child("properties").Key(key)
		if property.Default == nil && !slices.Contains(item.Required, key) {
			errs = append(errs, field.Required(at.Child("default"),
				"this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property"))
		}
		if property.Nullable {
			errs = append(errs, field.Forbidden(at.Child("nullable"), "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"))
		}
	}
	return errs
}
