package builtin

import (
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Fault is an injected fault. The Kubernetes API does not serve it; /rowlock/v1/faults does.
var Fault = kind.Define(kind.Kind{
	Type: object.Type{
		Group: fault.Group, Version: fault.Version, Kind: fault.Kind, Plural: fault.Plural,
		New: func() object.Object { return &fault.Fault{} },
	},
	Singular: "fault",
	Internal: true,
}, kind.Functions[*fault.Fault]{
	Default: func(*fault.Fault) {},
})
