// Package pod has Pod. Begin with pod.go; the rules of a Pod's spec, which templates share, are in
// core/podspec.
package pod
