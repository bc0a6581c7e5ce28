// Package limitrange has LimitRange, and what LimitRanges do to Pods and PersistentVolumeClaims at
// admission.
package limitrange
