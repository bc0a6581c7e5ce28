// Package rbac defines Role, ClusterRole and their bindings. Start with role.go; escalation.go
// keeps users from granting more rights than they have.
package rbac
