// Package service has Service. Begin with service.go; allocation.go gives Services addresses and
// node ports.
package service
