package kube

import (
	"context"

	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/rowlock/rowlock/api/auth"
)

// reviewer finds out whose tokens are that the client of a request asks about.
type reviewer func(token string, audiences []string) auth.Verdict

func (s *Server) reviewer(ctx context.Context) reviewer {
	return func(token string, audiences []string) auth.Verdict { return s.Login.Review(ctx, token, audiences) }
}

// Review is kind.Access's.
//
// Source: kubernetes v1.36 pkg/registry/authentication/tokenreview/storage.go, Create
func (r reviewer) Review(spec authenticationv1.TokenReviewSpec) authenticationv1.TokenReviewStatus {
	v := r(spec.Token, spec.Audiences)
	if v.User == nil {
		return authenticationv1.TokenReviewStatus{Error: v.Problem}
	}
	return authenticationv1.TokenReviewStatus{Authenticated: true, User: userInfo(v.User), Audiences: v.Audiences}
}
