// Package network defines the controllers of Services: of their endpoints and their addresses.
package network
