// Package node defines the scheduler, the kubelet and the controllers of nodes and of the Pods on
// them.
package node

import "github.com/rowlock/rowlock/internal/controller/world"

// controllers is the World that the controllers of this package are made for, with what they do.
type controllers world.World
