package controller

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// createMissing creates those of the objects that do not exist.
func createMissing(ctx context.Context, deps engine.Deps, missing []object.Object) error {
	now := metav1.Time{Time: deps.Clock.Now().Truncate(time.Second)}
	types := map[reflect.Type]*object.Type{}
	for _, k := range deps.Kinds.Stored() {
		types[reflect.TypeOf(k.New())] = &k.Type
	}
	failed := make(chan error, len(missing))
	for _, o := range missing {
		t := types[reflect.TypeOf(o)]
		if deps.Mirror.Get(object.Key{Resource: t.Resource(), Namespace: o.GetNamespace(), Name: o.GetName()}) != nil {
			failed <- nil
			continue
		}
		if o.GetUID() == "" {
			o.SetUID(deps.Draw.UID())
		}
		o.SetCreationTimestamp(now)
		if err := ownFirst(t, o, now.Time); err != nil {
			return err
		}
		go func() { // concurrently, so that they are committed together
			failed <- contain.Call(func() error {
				_, err := deps.Store.Write(ctx, store.Change{Verb: object.Created, Type: t, New: o, Writer: "rowlock", Cause: object.NoRequest})
				return err
			})
		}()
	}
	var errs []error
	for range missing {
		// A name that is taken was created by another replica; an address that is taken belongs to
		// a Service of a user who has deleted the API's Service.
		if err := <-failed; err != nil && !errors.Is(err, store.ErrExists) && !errors.Is(err, store.ErrReserved) {
			errs = append(errs, fmt.Errorf("bootstrap: %w", err))
		}
	}
	return errors.Join(errs...)
}
