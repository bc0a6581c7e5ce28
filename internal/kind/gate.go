package kind

import (
	"github.com/rowlock/rowlock/internal/object"
)

// Gates says which of upstream's feature gates are on. One that is not named is as it is by
// default: nil has all at their defaults.
type Gates map[string]bool

// MaxUnavailableStatefulSet lets StatefulSets say how many of their Pods an update may make
// unavailable. It is off by default.
//
// Source: kubernetes v1.36 pkg/features/kube_features.go
const MaxUnavailableStatefulSet = "MaxUnavailableStatefulSet"

// KnownGates are the feature gates that change what Rowlock does.
var KnownGates = []string{MaxUnavailableStatefulSet}

// Gated is a part of a kind that a feature gate brings which is off by default.
type Gated struct {
	Gate string
	// Default fills in the part where the gate is on.
	Default func(o object.Object)
	// Drop removes the part where the gate is off, unless the stored object has it, in place. old
	// is nil at creation.
	Drop func(next, old object.Object)
}
