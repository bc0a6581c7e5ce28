package kube

import (
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/rowlock/rowlock/api/auth"
)

// access answers questions of the user of a request. It is kind.Access.
type access struct {
	user  *auth.User
	rules auth.Authorizer
	now   func() time.Time

	reviewer
}

// Now is kind.Access's.
func (a access) Now() time.Time { return a.now() }

// Asker is kind.Access's.
func (a access) Asker() authenticationv1.UserInfo { return userInfo(a.user) }

// userInfo is a user as Kubernetes describes them.
func userInfo(u *auth.User) authenticationv1.UserInfo {
	info := authenticationv1.UserInfo{Username: u.Name, UID: u.UID, Groups: u.Groups}
	for key, values := range u.Extra {
		if info.Extra == nil {
			info.Extra = map[string]authenticationv1.ExtraValue{}
		}
		info.Extra[key] = values
	}
	return info
}

// Allowed is kind.Access's.
func (a access) Allowed(spec authorizationv1.SubjectAccessReviewSpec) authorizationv1.SubjectAccessReviewStatus {
	u, about := described(spec)
	allowed, reason := a.rules.Decide(u, about)
	return authorizationv1.SubjectAccessReviewStatus{Allowed: allowed, Reason: reason}
}

// Allowed says whether somebody may do something by the rules.
func Allowed(rules auth.Authorizer, spec authorizationv1.SubjectAccessReviewSpec) bool {
	return rules.Allows(described(spec))
}

// described is who does what, in a question.
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

// Rules is kind.Access's.
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
