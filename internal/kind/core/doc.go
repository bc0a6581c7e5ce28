// Package core has the kinds of the core group that need no package of their own, from Namespace to
// PersistentVolumeClaim, one file or a few each. Pods, Services and LimitRanges are in packages
// below.
package core
