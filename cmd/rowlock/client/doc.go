// Package client has the commands that talk to a running server, and how they find it.
package client
