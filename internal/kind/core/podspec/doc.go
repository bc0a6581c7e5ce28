// Package podspec defaults, validates and warns about PodSpecs and Pod templates. Start with
// validation.go.
package podspec
