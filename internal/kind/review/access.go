package review

import (
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// Access reviews ask whether a user may do something.
//
// Source: kubernetes v1.36 pkg/registry/authorization
var (
	// SelfSubjectAccessReview is authorization.k8s.io/v1 SelfSubjectAccessReview: `kubectl auth
	// can-i`.
	SelfSubjectAccessReview = &kind.Kind{
		Type:     reviewType("SelfSubjectAccessReview", false, func() object.Object { return &authorizationv1.SelfSubjectAccessReview{} }),
		Singular: "selfsubjectaccessreview",
		Validate: func(o object.Object) field.ErrorList {
			r := o.(*authorizationv1.SelfSubjectAccessReview)
			errs := validateReviewed(r.Spec.ResourceAttributes, r.Spec.NonResourceAttributes)
			return append(errs, validateNoMeta(r.ObjectMeta)...)
		},
		Answer: func(o object.Object, by kind.Access) error {
			r, asker := o.(*authorizationv1.SelfSubjectAccessReview), by.Asker()
			r.Status = by.Allowed(authorizationv1.SubjectAccessReviewSpec{
				User: asker.Username, Groups: asker.Groups, UID: asker.UID,
				ResourceAttributes: r.Spec.ResourceAttributes, NonResourceAttributes: r.Spec.NonResourceAttributes,
			})
			return nil
		},
	}

	// SelfSubjectRulesReview is authorization.k8s.io/v1 SelfSubjectRulesReview: `kubectl auth can-i
	// --list`.
	SelfSubjectRulesReview = &kind.Kind{
		Type:     reviewType("SelfSubjectRulesReview", false, func() object.Object { return &authorizationv1.SelfSubjectRulesReview{} }),
		Singular: "selfsubjectrulesreview",
		Validate: func(o object.Object) field.ErrorList { return nil },
		Answer: func(o object.Object, by kind.Access) error {
			r := o.(*authorizationv1.SelfSubjectRulesReview)
			if r.Spec.Namespace == "" {
				return apierrors.NewBadRequest("no namespace on request")
			}
			r.Status = by.Rules(r.Spec.Namespace)
			return nil
		},
	}

	// SubjectAccessReview is authorization.k8s.io/v1 SubjectAccessReview.
	SubjectAccessReview = &kind.Kind{
		Type:     reviewType("SubjectAccessReview", false, func() object.Object { return &authorizationv1.SubjectAccessReview{} }),
		Singular: "subjectaccessreview",
		Validate: func(o object.Object) field.ErrorList {
			r := o.(*authorizationv1.SubjectAccessReview)
			return append(validateSubjectReview(&r.Spec), validateNoMeta(r.ObjectMeta)...)
		},
		Answer: func(o object.Object, by kind.Access) error {
			r := o.(*authorizationv1.SubjectAccessReview)
			r.Status = by.Allowed(r.Spec)
			return nil
		},
	}

	// LocalSubjectAccessReview is authorization.k8s.io/v1 LocalSubjectAccessReview, for one
	// namespace.
	LocalSubjectAccessReview = &kind.Kind{
		Type:     reviewType("LocalSubjectAccessReview", true, func() object.Object { return &authorizationv1.LocalSubjectAccessReview{} }),
		Singular: "localsubjectaccessreview",
		Validate: func(o object.Object) field.ErrorList {
			return validateLocalReview(o.(*authorizationv1.LocalSubjectAccessReview))
		},
		Answer: func(o object.Object, by kind.Access) error {
			r := o.(*authorizationv1.LocalSubjectAccessReview)
			r.Status = by.Allowed(r.Spec)
			return nil
		},
	}
)

// Source: kubernetes v1.36 pkg/apis/authorization/validation/validation.go, ValidateSelfSubjectAccessReviewSpec
func validateReviewed(resource *authorizationv1.ResourceAttributes, other *authorizationv1.NonResourceAttributes) field.ErrorList {
	spec := field.NewPath("spec")
	var errs field.ErrorList
	switch {
	case resource != nil && other != nil:
		errs = append(errs, field.Invalid(spec.Child("nonResourceAttributes"), check.Untagged(other), "cannot be specified in combination with resourceAttributes"))
	case resource == nil && other == nil:
		errs = append(errs, field.Invalid(spec.Child("resourceAttributes"), check.Untagged(other),
			"exactly one of nonResourceAttributes or resourceAttributes must be specified"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/authorization/validation/validation.go, ValidateSubjectAccessReviewSpec
func validateSubjectReview(s *authorizationv1.SubjectAccessReviewSpec) field.ErrorList {
	errs := validateReviewed(s.ResourceAttributes, s.NonResourceAttributes)
	if s.User == "" && len(s.Groups) == 0 {
		errs = append(errs, field.Invalid(field.NewPath("spec", "user"), s.User, "at least one of user or group must be specified"))
	}
	return errs
}

// validateNoMeta checks that a review has no metadata, because it is not stored.
func validateNoMeta(m metav1.ObjectMeta) field.ErrorList {
	m.ManagedFields = nil
	if equality.Semantic.DeepEqual(m, metav1.ObjectMeta{}) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata"), m, "must be empty")}
}

// Source: kubernetes v1.36 pkg/apis/authorization/validation/validation.go, ValidateLocalSubjectAccessReview
func validateLocalReview(r *authorizationv1.LocalSubjectAccessReview) field.ErrorList {
	errs := validateSubjectReview(&r.Spec)
	meta := r.ObjectMeta
	meta.Namespace, meta.ManagedFields = "", nil
	if !equality.Semantic.DeepEqual(meta, metav1.ObjectMeta{}) {
		errs = append(errs, field.Invalid(field.NewPath("metadata"), r.ObjectMeta, "must be empty except for namespace"))
	}
	if a := r.Spec.ResourceAttributes; a != nil && a.Namespace != r.Namespace {
		errs = append(errs, field.Invalid(field.NewPath("spec.resourceAttributes.namespace"), a.Namespace, "must match metadata.namespace"))
	}
	if a := r.Spec.NonResourceAttributes; a != nil {
		errs = append(errs, field.Invalid(field.NewPath("spec.nonResourceAttributes"), check.Untagged(a), "disallowed on this kind of request"))
	}
	return errs
}

// reviewType returns the type of a review.
func reviewType(name string, namespaced bool, make func() object.Object) object.Type {
	return object.Type{
		Group: authorizationv1.GroupName, Version: "v1", Kind: name, Plural: strings.ToLower(name) + "s", Namespaced: namespaced, New: make,
	}
}
