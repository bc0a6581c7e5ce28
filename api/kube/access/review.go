package access

import (
	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/rowlock/rowlock/api/auth"
)

// reviewer checks a token for a token review.
type reviewer func(token string, audiences []string) auth.Verdict

// Review implements kind.Access.
//
// Source: kubernetes v1.36 pkg/registry/authentication/tokenreview/storage.go, Create
func (r reviewer) Review(spec authenticationv1.TokenReviewSpec) authenticationv1.TokenReviewStatus {
	v := r(spec.Token, spec.Audiences)
	if v.User == nil {
		return authenticationv1.TokenReviewStatus{Error: v.Problem}
	}
	return authenticationv1.TokenReviewStatus{Authenticated: true, User: UserInfo(v.User), Audiences: v.Audiences}
}
