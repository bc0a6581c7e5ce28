package access

import (
	"net/http"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/kind"
)

// access answers reviews for the user of a request. It implements kind.Access.
type access struct {
	user  *auth.User
	rules auth.Authorizer
	now   func() time.Time

	reviewer
}

// Of returns the kind.Access of a request: rules decide what its user may do, and login verifies
// the tokens that it asks about.
func Of(req *http.Request, rules auth.Authorizer, login *auth.Authenticator, now func() time.Time) kind.Access {
	ctx := req.Context()
	review := func(token string, audiences []string) auth.Verdict { return login.Review(ctx, token, audiences) }
	return access{auth.FromContext(ctx), rules, now, review}
}

// Now implements kind.Access.
func (a access) Now() time.Time { return a.now() }

// Asker implements kind.Access.
func (a access) Asker() authenticationv1.UserInfo { return UserInfo(a.user) }

// Allowed implements kind.Access.
func (a access) Allowed(spec authorizationv1.SubjectAccessReviewSpec) authorizationv1.SubjectAccessReviewStatus {
	u, about := described(spec)
	allowed, reason := a.rules.Decide(u, about)
	return authorizationv1.SubjectAccessReviewStatus{Allowed: allowed, Reason: reason}
}

// Allowed reports whether the rules allow what a review asks about.
func Allowed(rules auth.Authorizer, spec authorizationv1.SubjectAccessReviewSpec) bool {
	return rules.Allows(described(spec))
}

// described returns the user and the attributes in a review.
//
// Source: kubernetes v1.36 pkg/registry/authorization/util/helpers.go, AuthorizationAttributesFrom
func described(spec authorizationv1.SubjectAccessReviewSpec) (*auth.User, auth.Attributes) {
	about := auth.Attributes{}
	if r := spec.ResourceAttributes; r != nil {
		about = auth.Attributes{
			Verb: r.Verb, Group: r.Group, Version: r.Version, Resource: r.Resource, Subresource: r.Subresource, Namespace: r.Namespace, Name: r.Name,
		}
	}
	if p := spec.NonResourceAttributes; p != nil {
		about = auth.Attributes{Verb: p.Verb, Path: p.Path}
	}
	return &auth.User{Name: spec.User, UID: spec.UID, Groups: spec.Groups}, about
}

// Rules implements kind.Access.
//
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/rbac.go, RBACAuthorizer.RulesFor
func (a access) Rules(namespace string) authorizationv1.SubjectRulesReviewStatus {
	status := authorizationv1.SubjectRulesReviewStatus{
		ResourceRules: []authorizationv1.ResourceRule{}, NonResourceRules: []authorizationv1.NonResourceRule{},
	}
	rules, err := a.rules.Rules(a.user, namespace)
	if err != nil {
		status.EvaluationError = err.Error()
	}
	for _, r := range rules {
		if len(r.Resources) > 0 {
			status.ResourceRules = append(status.ResourceRules, authorizationv1.ResourceRule{
				Verbs: r.Verbs, APIGroups: r.APIGroups, Resources: r.Resources, ResourceNames: r.ResourceNames,
			})
		}
		if len(r.NonResourceURLs) > 0 {
			status.NonResourceRules = append(status.NonResourceRules, authorizationv1.NonResourceRule{Verbs: r.Verbs, NonResourceURLs: r.NonResourceURLs})
		}
	}
	return status
}
