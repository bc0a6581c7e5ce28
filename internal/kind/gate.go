package kind

import (
	"github.com/rowlock/rowlock/internal/object"
)

// Gates says which of upstream's feature gates are on. A gate that is missing has its default; nil
// means all defaults.
type Gates map[string]bool

// MaxUnavailableStatefulSet enables spec.updateStrategy.rollingUpdate.maxUnavailable of
// StatefulSets. It is off by default.
//
// Source: kubernetes v1.36 pkg/features/kube_features.go
const MaxUnavailableStatefulSet = "MaxUnavailableStatefulSet"

// KnownGates lists the feature gates that Rowlock implements.
var KnownGates = []string{MaxUnavailableStatefulSet}

// Gated is a part of a kind behind a feature gate that is off by default.
type Gated struct {
	Gate string
	// Default applies the defaults of the part if the gate is on.
	Default func(o object.Object)
	// Drop removes the part, in place, if the gate is off, unless the stored object has it. old is
	// nil at creation.
	Drop func(next, old object.Object)
}
