// Package node defines the scheduler, the kubelet and the controllers of nodes and of the Pods on
// them.
package node

import "github.com/rowlock/rowlock/internal/controller/world"

// controllers is a World. Its methods are what this package's controllers do.
type controllers world.World
