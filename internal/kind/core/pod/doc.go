// Package pod defines Pod. Start with pod.go. The rules of a Pod's spec, which templates share, are
// in core/podspec.
package pod
