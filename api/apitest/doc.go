// Package apitest provides a server of the API over a store in memory, for tests of what clients see.
package apitest
