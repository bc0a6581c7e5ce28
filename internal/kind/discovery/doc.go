// Package discovery has EndpointSlice.
package discovery
