package definition

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Default applies defaults to a definition, in place.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/zz_generated.defaults.go
func Default(def *apiextensionsv1.CustomResourceDefinition) {
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(def)
}

// PrepareCreate resets, in place, the fields that a client may not set at creation: the generation,
// and the status except for the stored version.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go, PrepareForCreate
func PrepareCreate(def *apiextensionsv1.CustomResourceDefinition) {
	def.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
	def.Generation = 1
	addStoredVersion(def)
}

// PrepareUpdate copies the status of old into next, in place, adds a new storage version to the
// stored versions, and increments the generation if the spec differs. It does not change old.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go, PrepareForUpdate
func PrepareUpdate(next, old *apiextensionsv1.CustomResourceDefinition) {
	old.Status.DeepCopyInto(&next.Status)
	if !apiequality.Semantic.DeepEqual(old.Spec, next.Spec) {
		next.Generation = old.Generation + 1
	}
	addStoredVersion(next)
}

// addStoredVersion adds the storage version to status.storedVersions.
func addStoredVersion(def *apiextensionsv1.CustomResourceDefinition) {
	for _, v := range def.Spec.Versions {
		if !v.Storage {
			continue
		}
		if !slices.Contains(def.Status.StoredVersions, v.Name) {
			def.Status.StoredVersions = append(def.Status.StoredVersions, v.Name)
		}
		return
	}
}

// Validate validates a new definition, which must be defaulted and prepared. It compiles the rules
// of the schemas. ctx bounds the evaluation of rules against defaults.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinition
func Validate(ctx context.Context, def *apiextensionsv1.CustomResourceDefinition) field.ErrorList {
	internal, err := toInternal(def)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	named := func(name string, prefix bool) []string {
		faults := validation.NameIsDNSSubdomain(name, prefix)
		if name != def.Spec.Names.Plural+"."+def.Spec.Group {
			faults = append(faults, `must be spec.names.plural+"."+spec.group`)
		}
		return faults
	}
	errs := validation.ValidateObjectMeta(&def.ObjectMeta, false, named, field.NewPath("metadata"))
	c := &checker{ctx: ctx, anyBundle: true}
	errs = append(errs, c.checkSpec(&internal.Spec, field.NewPath("spec"))...)
	return append(errs, checkWhole(internal, nil)...)
}

// ValidateUpdate validates next against old. Both must be defaulted and prepared. Kind and scope
// are immutable once a definition is established; group and plural are always immutable.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinitionUpdate
func ValidateUpdate(ctx context.Context, next, old *apiextensionsv1.CustomResourceDefinition) field.ErrorList {
	internal, err := toInternal(next)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	was, err := toInternal(old)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	errs := validation.ValidateObjectMetaUpdate(&next.ObjectMeta, &old.ObjectMeta, field.NewPath("metadata"))
	c := &checker{ctx: ctx, anyBundle: mayHaveAnyBundle(was), unchanged: unchangedSchemas(next, old), known: expressionsOf(&was.Spec)}
	path := field.NewPath("spec")
	errs = append(errs, c.checkSpec(&internal.Spec, path)...)
	if apiextensions.IsCRDConditionTrue(was, apiextensions.Established) {
		errs = append(errs, validation.ValidateImmutableField(internal.Spec.Scope, was.Spec.Scope, path.Child("scope"))...)
		errs = append(errs, validation.ValidateImmutableField(next.Spec.Names.Kind, old.Spec.Names.Kind, path.Child("names", "kind"))...)
	}
	errs = append(errs, validation.ValidateImmutableField(next.Spec.Group, old.Spec.Group, path.Child("group"))...)
	errs = append(errs, validation.ValidateImmutableField(next.Spec.Names.Plural, old.Spec.Names.Plural, path.Child("names", "plural"))...)
	return append(errs, checkWhole(internal, was)...)
}

// ValidateStatusUpdate validates an update of the status.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateUpdateCustomResourceDefinitionStatus
func ValidateStatusUpdate(next, old *apiextensionsv1.CustomResourceDefinition) field.ErrorList {
	internal, err := toInternal(next)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	errs := validation.ValidateObjectMetaUpdate(&next.ObjectMeta, &old.ObjectMeta, field.NewPath("metadata"))
	return append(errs, checkNames(&internal.Status.AcceptedNames, field.NewPath("status", "acceptedNames"))...)
}

// checkWhole validates fields together that are not in the spec alone; old is nil at creation.
func checkWhole(next, old *apiextensions.CustomResourceDefinition) field.ErrorList {
	status := field.NewPath("status")
	errs := checkNames(&next.Status.AcceptedNames, status.Child("acceptedNames"))
	errs = append(errs, checkStoredVersions(next.Status.StoredVersions, next.Spec.Versions, status.Child("storedVersions"))...)
	errs = append(errs, checkApproval(next, old)...)
	if keep := next.Spec.PreserveUnknownFields; keep != nil && *keep {
		errs = append(errs, field.Invalid(field.NewPath("spec", "preserveUnknownFields"), keep,
			"cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"))
	}
	return errs
}

// checkStoredVersions validates status.storedVersions.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinitionStoredVersions
func checkStoredVersions(stored []string, versions []apiextensions.CustomResourceDefinitionVersion, path *field.Path) (errs field.ErrorList) {
	if len(stored) == 0 {
		return field.ErrorList{field.Invalid(path, stored, "must have at least one stored version")}
	}
	there := sets.New[string]()
	for _, v := range versions {
		there.Insert(v.Name)
		if v.Storage && !slices.Contains(stored, v.Name) {
			errs = append(errs, field.Invalid(path, stored, "must have the storage version "+v.Name))
		}
	}
	for i, name := range stored {
		if !there.Has(name) {
			errs = append(errs, field.Invalid(path.Index(i), name, fmt.Sprintf("missing from spec.versions; %[1]s was previously a storage version, "+
				"and must remain in spec.versions until a storage migration ensures no data remains persisted in %[1]s and "+
				"removes %[1]s from status.storedVersions", name)))
		}
	}
	return errs
}

// checkApproval validates the approval annotation that definitions in Kubernetes' own groups need;
// old is nil at creation.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, validateAPIApproval
func checkApproval(next, old *apiextensions.CustomResourceDefinition) field.ErrorList {
	if !apihelpers.IsProtectedCommunityGroup(next.Spec.Group) {
		return nil
	}
	state, reason := apihelpers.GetAPIApprovalState(next.Annotations)
	if old != nil {
		if was, _ := apihelpers.GetAPIApprovalState(old.Annotations); was == state {
			return nil
		}
	}
	path := field.NewPath("metadata", "annotations").Key(apiextensionsv1.KubeAPIApprovedAnnotation)
	switch state {
	case apihelpers.APIApproved, apihelpers.APIApprovalBypassed:
		return nil
	case apihelpers.APIApprovalMissing:
		return field.ErrorList{field.Required(path, reason)}
	case apihelpers.APIApprovalInvalid:
	}
	return field.ErrorList{field.Invalid(path, next.Annotations[apiextensionsv1.KubeAPIApprovedAnnotation], reason)}
}

// unchangedSchemas returns the versions whose schema the update does not change.
func unchangedSchemas(next, old *apiextensionsv1.CustomResourceDefinition) sets.Set[string] {
	unchanged := sets.New[string]()
	for _, v := range next.Spec.Versions {
		for _, was := range old.Spec.Versions {
			if v.Name == was.Name && apiequality.Semantic.DeepEqual(v.Schema, was.Schema) {
				unchanged.Insert(v.Name)
			}
		}
	}
	return unchanged
}

func toInternal(def *apiextensionsv1.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(def, internal, nil); err != nil {
		return nil, fmt.Errorf("convert CustomResourceDefinition %s: %w", def.Name, err)
	}
	return internal, nil
}
