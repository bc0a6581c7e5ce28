// Package storage has StorageClass, VolumeAttachment, VolumeAttributesClass and the kinds of CSI
// drivers, one file each.
package storage
