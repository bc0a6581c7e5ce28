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
var TokenReview = kind.Define(kind.Kind{
	Type: object.Type{
		Group: authenticationv1.GroupName, Version: "v1", Kind: "TokenReview", Plural: "tokenreviews",
		New: func() object.Object { return &authenticationv1.TokenReview{} },
	},
	Singular: "tokenreview",
	Answer: func(o object.Object, by kind.Access) error {
		r := o.(*authenticationv1.TokenReview)
		if r.Spec.Token == "" {
			return apierrors.NewBadRequest("token is required for TokenReview in authentication")
		}
		r.Status = by.Review(r.Spec)
		return nil
	},
}, kind.Functions[*authenticationv1.TokenReview]{
	Validate: func(*authenticationv1.TokenReview) field.ErrorList { return nil },
})
