package kube

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// allocate lets the kind complete next with addresses and ports; old is nil at creation. What is taken is judged by a
// consistent read. Another writer may still take it first: the Writer then answers store.ErrReserved, and the caller
// tries again, on an object that this has not completed.
func (r *resource) allocate(ctx context.Context, next, old object.Object) error {
	k := r.stored
	if k.Allocate == nil {
		return nil
	}
	if err := r.Reader.Fresh(ctx); err != nil {
		return r.failure("create", next.GetNamespace(), next.GetName(), err)
	}
	uid := next.GetUID()
	if old != nil {
		uid = old.GetUID()
	}
	errs, err := k.Allocate(next, old, kind.Pool{
		Taken: func(key string) bool {
			if r.Holder == nil {
				return false
			}
			holder := r.Holder(key)
			return holder != "" && holder != uid
		},
		Draw: func(n int) int { return int(r.Jitter() * float64(n)) },
	})
	switch {
	case err != nil:
		return apierrors.NewInternalError(err)
	case len(errs) > 0:
		return apierrors.NewInvalid(r.kind.GroupVersionKind().GroupKind(), next.GetName(), errs)
	}
	return nil
}
