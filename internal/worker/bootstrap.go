package worker

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/reconcile/serviceaccount"
	"github.com/rowlock/rowlock/internal/store"
)

// Bootstrap creates what a cluster begins with and does not have: the namespaces and, in a cluster without any node, as
// many emulated nodes as are asked for. Replicas may do so at the same time: whoever comes second finds the names
// taken. The mirror must be fresh.
func Bootstrap(ctx context.Context, deps Deps, nodes int, capacity corev1.ResourceList) error {
	var missing []object.Object
	for _, ns := range serviceaccount.Bootstrap() {
		missing = append(missing, ns)
	}
	if deps.Mirror.List("nodes", "").Len() == 0 {
		for i := range nodes {
			missing = append(missing, nodelifecycle.DefaultNode(i+1, capacity, deps.Clock.Now()))
		}
	}
	now := metav1.Time{Time: deps.Clock.Now().Truncate(1e9)}
	kinds := newApplier(deps, Controller{}).kinds
	failed := make(chan error, len(missing))
	for _, o := range missing {
		t := &kinds[typeOf(o)].Type
		if deps.Mirror.Get(object.Key{Resource: t.Resource(), Name: o.GetName()}) != nil {
			failed <- nil
			continue
		}
		o.SetUID(deps.Draw.UID())
		o.SetCreationTimestamp(now)
		go func() { // together, so that they are committed together
			_, err := deps.Store.Write(ctx, store.Change{Verb: object.Created, Type: t, New: o, Writer: "rowlock"})
			failed <- err
		}()
	}
	var errs []error
	for range missing {
		if err := <-failed; err != nil && !errors.Is(err, store.ErrExists) {
			errs = append(errs, fmt.Errorf("bootstrap: %w", err))
		}
	}
	return errors.Join(errs...)
}
