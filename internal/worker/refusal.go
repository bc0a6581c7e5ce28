package worker

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// refusal says what would be turned down of a plan's creations, nil for nothing: a chosen name that is taken, or a
// namespace that is being terminated. What changes between this look and the commit is found by the commit itself,
// which leaves the change out and has the object looked at again.
func (a *applier) refusal(v mirror.View, p plan.Plan) *plan.Refusal {
	for i, c := range p.Creates {
		o := c.Object
		k := a.kinds[typeOf(o)]
		if k == nil {
			return nil // adding the plan fails, and says why
		}
		if namespace := o.GetNamespace(); namespace != "" {
			ns := v.Get(object.Key{Resource: "namespaces", Name: namespace})
			if ns != nil && ns.Object().GetDeletionTimestamp() != nil {
				err := apierrors.NewForbidden(k.GroupResource(), o.GetName(),
					fmt.Errorf("unable to create new content in namespace %s because it is being terminated", namespace))
				return &plan.Refusal{Admitted: i, Reason: err.ErrStatus.Reason, NamespaceTerminating: true, Message: err.ErrStatus.Message}
			}
		}
		if o.GetName() != "" && v.Get(object.Key{Resource: k.Resource(), Namespace: o.GetNamespace(), Name: o.GetName()}) != nil {
			err := apierrors.NewAlreadyExists(k.GroupResource(), o.GetName())
			return &plan.Refusal{Admitted: i, Reason: err.ErrStatus.Reason, Message: err.ErrStatus.Message}
		}
	}
	return nil
}
