// Package storage defines StorageClass, VolumeAttachment, VolumeAttributesClass and the kinds of
// CSI drivers, in one file each.
package storage
