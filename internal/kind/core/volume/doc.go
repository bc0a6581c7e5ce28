// Package volume has defaults and validation of volumes: in Pods, in PersistentVolumes, and as
// PersistentVolumeClaims ask for them. Begin with volume.go.
package volume
