// Package rbac decides what users may do by the roles and bindings of the cluster.
//
// An Index observes the mirror and has, for each user and group and each namespace, the bindings
// that name them. Their rules are compiled on the first query, by resource, and again after a
// change. A decision looks up the user and the user's groups in two places, the whole cluster and
// the namespace, and compares the few rules that name the resource.
//
// A decision is as fresh as the mirror: a role that another replica has changed takes effect here
// some milliseconds later, and not while the database is unreachable; after three seconds of that,
// nothing is served. Commits of this process take effect at once.
//
// What every cluster begins with is in bootstrap.txt.
//
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/rbac.go, and pkg/registry/rbac/validation/rule.go
package rbac
