package definition

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// checker validates the spec of one definition.
type checker struct {
	ctx context.Context

	// anyBundle accepts CA bundles that do not parse.
	anyBundle bool
	// unchanged holds the versions whose schema the update does not change. Their rules may cost
	// more than those of a new schema.
	unchanged sets.Set[string]
	// known holds the expressions of the old definition; zero at creation.
	known expressions
}

// checkSpec validates a spec.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// validateCustomResourceDefinitionSpec
func (c *checker) checkSpec(spec *apiextensions.CustomResourceDefinitionSpec, path *field.Path) field.ErrorList {
	errs := checkGroup(spec.Group, path.Child("group"))
	errs = append(errs, checkEnum(path.Child("scope"), string(spec.Scope),
		[]string{string(apiextensions.ClusterScoped), string(apiextensions.NamespaceScoped)})...)
	if spec.Validation == nil || spec.Validation.OpenAPIV3Schema == nil {
		for i, v := range spec.Versions {
			if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
				errs = append(errs, field.Required(path.Child("versions").Index(i).Child("schema", "openAPIV3Schema"), ""))
			}
		}
	}
	if all := preserved(spec); all && hasDefaults(spec) {
		errs = append(errs, field.Invalid(path.Child("preserveUnknownFields"), true, "must be false in order to use defaults in the schema"))
	}
	errs = append(errs, c.checkVersions(spec, path.Child("versions"))...)
	if faults := utilvalidation.IsDNS1035Label(spec.Version); spec.Version != "" && len(faults) > 0 {
		errs = append(errs, field.Invalid(path.Child("version"), spec.Version, strings.Join(faults, ",")))
	}
	errs = append(errs, requireNames(&spec.Names, path.Child("names"))...)
	errs = append(errs, checkNames(&spec.Names, path.Child("names"))...)
	errs = append(errs, c.checkHoisted(spec, path)...)
	if spec.Conversion != nil && spec.Conversion.Strategy != apiextensions.NoneConverter && preserved(spec) {
		errs = append(errs, field.Invalid(path.Child("conversion", "strategy"), spec.Conversion.Strategy, "must be None if spec.preserveUnknownFields is true"))
	}
	return append(errs, checkConversion(spec.Conversion, c.anyBundle, path.Child("conversion"))...)
}

// preserved reports whether the spec asks to preserve unknown fields everywhere, which v1 does not
// allow.
func preserved(spec *apiextensions.CustomResourceDefinitionSpec) bool {
	return spec.PreserveUnknownFields == nil || *spec.PreserveUnknownFields
}

func checkGroup(group string, path *field.Path) field.ErrorList {
	if group == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	if faults := utilvalidation.IsDNS1123Subdomain(group); len(faults) > 0 {
		return field.ErrorList{field.Invalid(path, group, strings.Join(faults, ","))}
	}
	if !strings.Contains(group, ".") {
		return field.ErrorList{field.Invalid(path, group, "should be a domain with at least one dot")}
	}
	return nil
}

// checkVersions validates the versions, each on its own and together.
func (c *checker) checkVersions(spec *apiextensions.CustomResourceDefinitionSpec, path *field.Path) (errs field.ErrorList) {
	stored, names := 0, sets.New[string]()
	for i := range spec.Versions {
		v := &spec.Versions[i]
		if v.Storage {
			stored++
		}
		names.Insert(v.Name)
		if faults := utilvalidation.IsDNS1035Label(v.Name); len(faults) > 0 {
			errs = append(errs, field.Invalid(path.Index(i).Child("name"), v.Name, strings.Join(faults, ",")))
		}
		errs = append(errs, c.checkVersion(v, hasStatus(spec, v), path.Index(i))...)
	}
	if names.Len() < len(spec.Versions) {
		errs = append(errs, field.Invalid(path, spec.Versions, "must contain unique version names"))
	}
	if stored != 1 {
		errs = append(errs, field.Invalid(path, spec.Versions, "must have exactly one version marked as storage version"))
	}
	return errs
}

// hasStatus reports whether a version has the status subresource.
func hasStatus(spec *apiextensions.CustomResourceDefinitionSpec, v *apiextensions.CustomResourceDefinitionVersion) bool {
	s := spec.Subresources
	for _, other := range spec.Versions {
		if other.Subresources != nil {
			s = v.Subresources
		}
	}
	return s != nil && s.Status != nil
}

// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// validateCustomResourceDefinitionVersion
func (c *checker) checkVersion(v *apiextensions.CustomResourceDefinitionVersion, status bool, path *field.Path) (errs field.ErrorList) {
	for _, fault := range checkDeprecation(v.Deprecated, v.DeprecationWarning) {
		errs = append(errs, field.Invalid(path.Child("deprecationWarning"), v.DeprecationWarning, fault))
	}
	errs = append(errs, c.checkSchema(v.Schema, status, c.unchanged.Has(v.Name), path.Child("schema"))...)
	errs = append(errs, checkSubresources(v.Subresources, path.Child("subresources"))...)
	errs = append(errs, checkColumns(v.AdditionalPrinterColumns, path.Child("additionalPrinterColumns"))...)
	if len(v.SelectableFields) == 0 {
		return errs
	}
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		return append(errs, field.Invalid(path.Child("selectableFields"), "", "may only be set when `version.schema.openAPIV3Schema` is not included"))
	}
	return append(errs, checkSelectable(v.SelectableFields, v.Schema.OpenAPIV3Schema, path)...)
}

// checkHoisted validates what all versions have in common.
func (c *checker) checkHoisted(spec *apiextensions.CustomResourceDefinitionSpec, path *field.Path) field.ErrorList {
	status := false
	for i := range spec.Versions {
		status = status || hasStatus(spec, &spec.Versions[i])
	}
	errs := c.checkSchema(spec.Validation, status, c.unchanged.Has(spec.Version), path.Child("validation"))
	errs = append(errs, checkSubresources(spec.Subresources, path.Child("subresources"))...)
	errs = append(errs, checkColumns(spec.AdditionalPrinterColumns, path.Child("additionalPrinterColumns"))...)
	if len(spec.SelectableFields) == 0 {
		return errs
	}
	if spec.Validation == nil {
		return append(errs, field.Invalid(path.Child("selectableFields"), "", "may only be set when validations.schema is included"))
	}
	return append(errs, checkSelectable(spec.SelectableFields, spec.Validation.OpenAPIV3Schema, path)...)
}

// checkDeprecation validates the warning of a deprecated version.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, validateDeprecationWarning
func checkDeprecation(deprecated bool, warning *string) (faults []string) {
	switch {
	case warning == nil:
		return nil
	case !deprecated:
		return []string{"can only be set for deprecated versions"}
	}
	if len(*warning) > 256 {
		faults = append(faults, "must be <= 256 characters long")
	}
	if *warning == "" {
		faults = append(faults, "must not be an empty string")
	}
	for i, r := range *warning {
		if !unicode.IsPrint(r) {
			faults = append(faults, fmt.Sprintf("must only contain printable UTF-8 characters; non-printable character found at index %d", i))
			break
		}
	}
	if !utf8.ValidString(*warning) {
		faults = append(faults, "must only contain printable UTF-8 characters")
	}
	return faults
}
