// Package route describes the paths of the Kubernetes API: as a Route, which a verb serves, and as a
// huma operation with its parameters and schemas, named as upstream names them.
package route
