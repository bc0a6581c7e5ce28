// Package service defines Service. Start with service.go; allocation.go allocates addresses and
// node ports.
package service
