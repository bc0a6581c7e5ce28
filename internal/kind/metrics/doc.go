// Package metrics has the kinds of metrics.k8s.io, which are computed, and the custom metrics and
// loads that users set. Begin with metrics.go.
package metrics
