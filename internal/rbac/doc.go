// Package rbac says what users may do by the roles and bindings of the cluster.
//
// An Index observes the mirror and has, for each user and group and each namespace, the bindings that name them. The rules that these come
// to are compiled when somebody first asks, by resource, and again after a change. A decision looks up the user and the groups of the user
// in two places, the whole cluster and the namespace, and compares the few rules that name the resource.
//
// A decision is as old as the mirror: a role that another replica has changed counts here some milliseconds later, and not while the
// database cannot be reached; after three seconds of that nothing is served. What this process has committed counts at once.
//
// What every cluster begins with is in bootstrap.txt.
//
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/rbac.go, and pkg/registry/rbac/validation/rule.go
package rbac
