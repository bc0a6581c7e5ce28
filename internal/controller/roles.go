package controller

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/rbac"
	"github.com/rowlock/rowlock/internal/store"
)

// RestoreRoles creates or repairs the roles and bindings that every cluster begins with, after
// another state was loaded. The mirror must be fresh.
func RestoreRoles(ctx context.Context, deps engine.Deps) error {
	missing, err := repairRoles(ctx, deps)
	if err != nil {
		return err
	}
	return createMissing(ctx, deps, missing)
}

// repairRoles restores what was removed from the roles and bindings that every cluster begins with,
// and returns those that are missing.
//
// Source: kubernetes v1.36 pkg/registry/rbac/rest/storage_rbac.go, ensureRBACPolicy
func repairRoles(ctx context.Context, deps engine.Deps) (missing []object.Object, err error) {
	seed, revision := uidOf(deps, object.Key{Resource: "namespaces", Name: metav1.NamespaceSystem}), deps.Mirror.Revision()
	for _, want := range rbac.Bootstrap() {
		k := rbac.KindOf(want)
		key := object.Key{Resource: k.Resource(), Namespace: want.GetNamespace(), Name: want.GetName()}
		if v := deps.Mirror.Get(key); v != nil {
			gone, err := repairRole(ctx, deps, k, v, want)
			if err != nil {
				return nil, err
			}
			if !gone {
				continue
			}
		}
		want.SetUID(derivedUID(seed, fmt.Sprintf("%s/%s/%s@%d", key.Resource, key.Namespace, key.Name, revision)))
		missing = append(missing, want)
	}
	return missing, nil
}

// repairRole repairs an existing role or binding. It reports whether that is now gone, and must be
// created again.
func repairRole(ctx context.Context, deps engine.Deps, k *kind.Kind, v *object.Version, want object.Object) (gone bool, err error) {
	next, anew := rbac.Repaired(v.Object(), want)
	if next == nil || anew && len(next.GetFinalizers()) > 0 {
		return false, nil
	}
	c := store.Change{Verb: object.Updated, Type: &k.Type, Old: v, New: next, Writer: "rowlock", Cause: object.NoRequest}
	if anew {
		c.Verb, c.New = object.Deleted, nil
	} else if err := fieldmanager.Updated(&k.Type, next, v.Object(), fieldmanager.Writer{Manager: "kube-apiserver", At: deps.Clock.Now()}); err != nil {
		return false, err
	}
	_, err = deps.Store.Write(ctx, c)
	var conflict *store.ConflictError
	switch {
	case errors.As(err, &conflict), errors.Is(err, store.ErrGone): // another replica repairs it, or it is being changed meanwhile
		return false, nil
	case err != nil:
		return false, fmt.Errorf("repair a role: %w", err)
	}
	return anew, nil
}

func uidOf(deps engine.Deps, key object.Key) types.UID {
	if v := deps.Mirror.Get(key); v != nil {
		return v.UID
	}
	return deps.Draw.UID()
}

// derivedUID derives a uid from another and a name.
func derivedUID(seed types.UID, name string) types.UID {
	space, err := uuid.Parse(string(seed))
	if err != nil {
		return seed // which the store refuses
	}
	return types.UID(uuid.NewSHA1(space, []byte(name)).String())
}
