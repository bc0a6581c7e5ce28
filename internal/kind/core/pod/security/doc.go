// Package security has the admission plugin PodSecurity, for Pods, for the templates of workloads
// and for namespaces. Begin with plugin.go.
package security
