package review

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// SelfSubjectReview is authentication.k8s.io/v1 SelfSubjectReview: `kubectl auth whoami`.
//
// Source: kubernetes v1.36 pkg/registry/authentication/selfsubjectreview/rest.go, Create
var SelfSubjectReview = kind.Define(kind.Kind{
	Type: object.Type{
		Group: authenticationv1.GroupName, Version: "v1", Kind: "SelfSubjectReview", Plural: "selfsubjectreviews",
		New: func() object.Object { return &authenticationv1.SelfSubjectReview{} },
	},
	Singular: "selfsubjectreview",
	Answer: func(o object.Object, by kind.Access) error {
		*o.(*authenticationv1.SelfSubjectReview) = authenticationv1.SelfSubjectReview{
			ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(by.Now())},
			Status:     authenticationv1.SelfSubjectReviewStatus{UserInfo: by.Asker()},
		}
		return nil
	},
}, kind.Functions[*authenticationv1.SelfSubjectReview]{
	Validate: func(*authenticationv1.SelfSubjectReview) field.ErrorList { return nil },
})
