// Package metrics defines the computed kinds of metrics.k8s.io, and the custom metrics and loads
// that users set. Start with metrics.go.
package metrics
