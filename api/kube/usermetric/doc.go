// Package usermetric serves the custom and external metrics that users set, at the paths of the
// adapters of metrics.
package usermetric
