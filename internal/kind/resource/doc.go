// Package resource defines DeviceClass, ResourceClaim, ResourceClaimTemplate and ResourceSlice.
// Start with claim.go.
package resource
