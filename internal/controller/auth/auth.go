// Package auth defines the controllers of ServiceAccounts, tokens, certificates and aggregated
// roles.
package auth

import "github.com/rowlock/rowlock/internal/controller/world"

// controllers is the World that the controllers of this package are made for, with what they do.
type controllers world.World
