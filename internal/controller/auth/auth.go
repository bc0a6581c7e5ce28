// Package auth defines the controllers of ServiceAccounts, tokens, certificates and aggregated
// roles.
package auth

import "github.com/rowlock/rowlock/internal/controller/world"

// controllers is a World. Its methods are what this package's controllers do.
type controllers world.World
