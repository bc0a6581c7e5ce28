// Package storage defines the controllers of volumes, of their claims and classes, and of claims of
// devices.
package storage

import "github.com/rowlock/rowlock/internal/controller/world"

// controllers is the World that the controllers of this package are made for, with what they do.
type controllers world.World
