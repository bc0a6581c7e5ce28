// Package security implements the admission plugin PodSecurity for Pods, Pod templates and
// namespaces. Start with plugin.go.
package security
