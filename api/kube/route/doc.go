// Package route describes the paths of the Kubernetes API: as a Route, which a verb serves, and as
// a huma operation, whose parameters and schemas have upstream's names.
package route
