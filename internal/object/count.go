package object

import "sync/atomic"

var decodes, encodes atomic.Int64

// Decodes returns how many bodies this process has decoded, for tests of a sync's cost.
func Decodes() int64 { return decodes.Load() }

// Encodes returns how many bodies this process has encoded whole, for tests of a write's cost.
func Encodes() int64 { return encodes.Load() }
