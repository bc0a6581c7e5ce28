package registry

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Apply merges the configuration of a server-side apply into the live object of the type, nil if
// there is none, and returns a new object with its managedFields, for Create or Update. live is not
// changed; force takes fields that others own. All errors carry their own Status.
func Apply(t *object.Type, live object.Object, applied map[string]any, by fieldmanager.Writer, force bool) (next object.Object, err error) {
	defer func() {
		if p := recover(); p != nil { // the merging libraries panic on unusual input
			err = apierrors.NewBadRequest(fmt.Sprintf("the configuration cannot be applied: %v", p))
		}
	}()
	if next, err = fieldmanager.Apply(t, live, applied, by, force); err != nil {
		return nil, Untyped(err)
	}
	return next, nil
}

// CheckNewUID refuses to apply to an object that does not exist if the request has a uid. Errors:
// *Conflict.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go, applyPatcher.createNewObject
func CheckNewUID(k *kind.Kind, name string, uid types.UID) error {
	if uid == "" {
		return nil
	}
	return &Conflict{Resource: k.GroupResource(), Name: name,
		Err: fmt.Errorf("uid mismatch: the provided object specified uid %s, and no existing object was found", uid)}
}
