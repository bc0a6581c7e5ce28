package customresource

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// unchecked is the error that replaces those of rules that were not evaluated.
const unchecked = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// Validate validates a new object, which must be defaulted, including its metadata. The cost of its
// CEL rules is bounded; canceling ctx ends their evaluation early.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go, Validate
func (v *Version) Validate(ctx context.Context, u *unstructured.Unstructured) field.ErrorList {
	p, err := v.program()
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	if err := p.checkCost(u); err != nil {
		return field.ErrorList{field.Forbidden(nil, err.Error())}
	}
	errs := v.validateType(u)
	if len(errs) == 0 {
		errs = validation.ValidateObjectMetaAccessor(u, v.definition.Namespaced, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
		errs = append(errs, schemavalidation.ValidateCustomResource(nil, u.Object, p.whole)...)
		errs = append(errs, v.validateScale(u, true)...)
	}
	errs = append(errs, objectmeta.Validate(nil, u.Object, p.structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, p.structural, u.Object)...)
	return append(inOrder(errs), inOrder(evaluate(ctx, p, errs, u, nil))...)
}

// ValidateUpdate validates an update of an object. Both objects must be defaulted and in this
// version. Errors in parts that the update does not change are tolerated.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go, ValidateUpdate
func (v *Version) ValidateUpdate(ctx context.Context, next, old *unstructured.Unstructured) field.ErrorList {
	p, err := v.program()
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	if err := p.checkCost(next); err != nil {
		return field.ErrorList{field.Forbidden(nil, err.Error())}
	}
	correlated := correlate(p.structural, next, old)
	errs := v.validateType(next)
	if len(errs) == 0 {
		errs = validation.ValidateObjectMetaAccessorUpdate(next, old, field.NewPath("metadata"))
		errs = append(errs, schemavalidation.ValidateCustomResourceUpdate(nil, next.Object, old.Object, p.whole, schemavalidation.WithRatcheting(correlated))...)
		errs = append(errs, v.validateScale(next, true)...)
	}
	errs = append(errs, objectmeta.Validate(nil, next.Object, p.structural, false)...)
	errs = append(errs, changedLists(p.structural, next, old)...)
	return append(inOrder(errs), inOrder(evaluate(ctx, p, errs, next, old, cel.WithRatcheting(correlated)))...)
}

// ValidateStatusUpdate validates an update of an object's status: against the schema of the status,
// and against all rules.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/status_strategy.go, ValidateUpdate
func (v *Version) ValidateStatusUpdate(ctx context.Context, next, old *unstructured.Unstructured) field.ErrorList {
	p, err := v.program()
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	if err := p.checkCost(next); err != nil {
		return field.ErrorList{field.Forbidden(nil, err.Error())}
	}
	correlated := correlate(p.structural, next, old)
	errs := v.validateType(next)
	if len(errs) == 0 {
		errs = validation.ValidateObjectMetaAccessorUpdate(next, old, field.NewPath("metadata"))
		if status, ok := next.Object["status"]; ok && p.status != nil {
			errs = append(errs, schemavalidation.ValidateCustomResourceUpdate(field.NewPath("status"), status, old.Object["status"], p.status,
				schemavalidation.WithRatcheting(correlated.Key("status")))...)
		}
		errs = append(errs, v.validateScale(next, false)...)
	}
	errs = append(errs, changedLists(p.structural, next, old)...)
	return append(inOrder(errs), inOrder(evaluate(ctx, p, errs, next, old, cel.WithRatcheting(correlated)))...)
}

// inOrder sorts errors by field, in place. The libraries return them in the random order of Go's
// maps.
func inOrder(errs field.ErrorList) field.ErrorList {
	slices.SortStableFunc(errs, func(a, b *field.Error) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Error(), b.Error()))
	})
	return errs
}

// correlate matches the parts of the new object with those of the old one.
func correlate(s *structuralschema.Structural, next, old *unstructured.Unstructured) *common.CorrelatedObject {
	return common.NewCorrelatedObject(next.Object, old.Object, &model.Structural{Structural: s})
}

// changedLists returns the errors of lists that are sets or maps, unless the old object has such
// errors already.
func changedLists(s *structuralschema.Structural, next, old *unstructured.Unstructured) field.ErrorList {
	errs := listtype.ValidateListSetsAndMaps(nil, s, next.Object)
	if len(errs) == 0 || len(listtype.ValidateListSetsAndMaps(nil, s, old.Object)) > 0 {
		return nil
	}
	return errs
}

// evaluate evaluates the rules, unless earlier errors would make them fail for another reason. old
// is nil at creation.
func evaluate(ctx context.Context, p *program, before field.ErrorList, next, old *unstructured.Unstructured, opts ...cel.Option) field.ErrorList {
	rules := p.rules()
	if rules == nil {
		return nil
	}
	for _, err := range before {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return field.ErrorList{field.Invalid(nil, nil, unchecked)}
		}
	}
	var was any
	if old != nil {
		was = old.Object
	}
	errs, _ := rules.Validate(ctx, nil, p.structural, next.Object, was, celconfig.RuntimeCELCostBudget, opts...)
	return errs
}

// validateType validates apiVersion and kind.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/validator.go, ValidateTypeMeta
func (v *Version) validateType(u *unstructured.Unstructured) (errs field.ErrorList) {
	if kind := u.GetKind(); kind != v.GVK.Kind {
		errs = append(errs, field.Invalid(field.NewPath("kind"), kind, "must be "+v.GVK.Kind))
	}
	if have := u.GetAPIVersion(); have != v.gv() {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), have, "must be "+v.gv()))
	}
	return errs
}

// validateScale validates the fields that the scale subresource reads; without spec, only those in
// the status.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/validator.go, ValidateScaleSpec, ValidateScaleStatus
func (v *Version) validateScale(u *unstructured.Unstructured, spec bool) (errs field.ErrorList) {
	s := v.Scale
	if s == nil {
		return nil
	}
	paths := []string{s.StatusReplicasPath}
	if spec {
		paths = []string{s.SpecReplicasPath, s.StatusReplicasPath}
	}
	for _, path := range paths {
		n, _, err := unstructured.NestedInt64(u.Object, splitPath(path)...)
		at := field.NewPath(path)
		switch {
		case err != nil:
			errs = append(errs, field.Invalid(at, n, err.Error()))
		case n < 0:
			errs = append(errs, field.Invalid(at, n, "should be a non-negative integer"))
		case n > math.MaxInt32:
			errs = append(errs, field.Invalid(at, n, fmt.Sprintf("should be less than or equal to %v", math.MaxInt32)))
		}
	}
	if s.LabelSelectorPath != "" {
		if text, _, err := unstructured.NestedString(u.Object, splitPath(s.LabelSelectorPath)...); err != nil {
			errs = append(errs, field.Invalid(field.NewPath(s.LabelSelectorPath), text, err.Error()))
		}
	}
	return errs
}
