// Package storage defines the controllers of volumes, of their claims and classes, and of claims of
// devices.
package storage

import "github.com/rowlock/rowlock/internal/controller/world"

// controllers is a World. Its methods are what this package's controllers do.
type controllers world.World
