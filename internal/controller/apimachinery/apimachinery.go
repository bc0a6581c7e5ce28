// Package apimachinery defines the controllers that belong to no kind of workload: those of
// namespaces, owners, quotas, definitions of custom resources, flow control and Events.
package apimachinery

import "github.com/rowlock/rowlock/internal/controller/world"

// controllers is a World. Its methods are what this package's controllers do.
type controllers world.World
