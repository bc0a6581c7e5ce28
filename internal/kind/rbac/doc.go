// Package rbac has Role, ClusterRole and their bindings. Begin with role.go; escalation.go keeps
// users from giving more rights than they have.
package rbac
