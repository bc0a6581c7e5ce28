// Package discovery defines EndpointSlice.
package discovery
