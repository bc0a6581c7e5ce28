// Package volume defaults and validates volumes: in Pods, in PersistentVolumes, and in
// PersistentVolumeClaims. Start with volume.go.
package volume
