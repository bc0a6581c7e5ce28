// Package limitrange defines LimitRange, and its effect on Pods and PersistentVolumeClaims at
// admission.
package limitrange
