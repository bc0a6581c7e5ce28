package review

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// TokenReview is authentication.k8s.io/v1 TokenReview: it asks for the owner of a token.
//
// Source: kubernetes v1.36 pkg/registry/authentication/tokenreview/storage.go, Create
var TokenReview = &kind.Kind{
	Type: object.Type{
		Group: authenticationv1.GroupName, Version: "v1", Kind: "TokenReview", Plural: "tokenreviews",
		New: func() object.Object { return &authenticationv1.TokenReview{} },
	},
	Singular: "tokenreview",
	Validate: func(object.Object) field.ErrorList { return nil },
	Answer: func(o object.Object, by kind.Access) error {
		r := o.(*authenticationv1.TokenReview)
		if r.Spec.Token == "" {
			return apierrors.NewBadRequest("token is required for TokenReview in authentication")
		}
		r.Status = by.Review(r.Spec)
		return nil
	},
}
