package volume

import (
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// InUseProtection adds a finalizer that keeps a deleted object while it is in use.
//
// Source: kubernetes v1.36 plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go, Admit
func InUseProtection(finalizer string) kind.Plugin {
	return kind.Plugin{
		Name:   "StorageObjectInUseProtection",
		Mutate: func(o object.Object, _ kind.Cluster) error { protect(o, finalizer); return nil },
	}
}

// protect adds a finalizer if it is missing.
func protect(o object.Object, finalizer string) {
	for _, f := range o.GetFinalizers() {
		if f == finalizer {
			return
		}
	}
	o.SetFinalizers(append(o.GetFinalizers(), finalizer))
}
