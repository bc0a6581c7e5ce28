// Package resource has DeviceClass, ResourceClaim, ResourceClaimTemplate and ResourceSlice. Begin
// with claim.go.
package resource
