// Package core defines the kinds of the core group that need no package of their own, from
// Namespace to PersistentVolumeClaim, in one file or a few each. Pods, Services and LimitRanges are
// in subpackages.
package core
