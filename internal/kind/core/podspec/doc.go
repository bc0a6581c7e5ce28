// Package podspec has defaults, validation and warnings of PodSpecs and of Pod templates. Begin
// with validation.go.
package podspec
