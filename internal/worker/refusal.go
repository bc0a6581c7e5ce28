package worker

import (
	"cmp"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// anySuffix stands for the random end of a name while nothing but the name's form matters.
const anySuffix = "00000"

// refusal says what would be turned down of a plan's creations, nil for nothing: a chosen name that is taken, a
// namespace that is being terminated, or an object that is not valid. What changes between this look and the commit is
// found by the commit itself, which leaves the change out and has the object looked at again.
//
// Creations of one kind that follow each other come of one template, so that the first of them is judged for all.
func (a *applier) refusal(v mirror.View, p plan.Plan) *plan.Refusal {
	var judged *kind.Kind
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
		if k != judged {
			if err := a.turnedDown(v, k, o); err != nil {
				return &plan.Refusal{Admitted: i, Reason: err.ErrStatus.Reason, Message: err.ErrStatus.Message}
			}
			judged = k
		}
	}
	return nil
}

// turnedDown judges an object as the API would if a client created it; nil means that it is admitted and valid. The object
// stays as it is: it is completed when its plan is applied. Where a name is still to be drawn, one is drawn for the message
// alone.
func (a *applier) turnedDown(v mirror.View, k *kind.Kind, o object.Object) *apierrors.StatusError {
	if k.Validate == nil && k.Admit == nil {
		return nil
	}
	made, ok := o.DeepCopyObject().(object.Object)
	if !ok {
		return nil // adding the plan fails, and says why
	}
	if made.GetName() == "" {
		made.SetName(object.GeneratedName(made.GetGenerateName(), anySuffix))
	}
	k.Default(made)
	if k.Admit != nil {
		if err := k.Admit(made, v); err != nil {
			return forbidden(k, cmp.Or(o.GetName(), o.GetGenerateName()), err)
		}
	}
	if k.PrepareCreate != nil {
		k.PrepareCreate(made)
	}
	name := func() string {
		if o.GetName() == "" {
			return object.GeneratedName(o.GetGenerateName(), a.draw.Suffix())
		}
		return o.GetName()
	}
	if k.Validate != nil {
		if errs := k.Validate(made); len(errs) > 0 {
			return apierrors.NewInvalid(k.GroupVersionKind().GroupKind(), name(), errs)
		}
	}
	if k.Deny != nil {
		if err := k.Deny(made, v); err != nil {
			return forbidden(k, name(), err)
		}
	}
	return nil
}

// forbidden is an admission's error as a client would get it.
func forbidden(k *kind.Kind, name string, err error) *apierrors.StatusError {
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		return status
	}
	return apierrors.NewForbidden(k.GroupResource(), name, err)
}

// againAfter is a plan that was made after a refusal. What was turned down may be admitted later, when something else in the
// cluster has changed, and nobody says when: so it is tried again, unless the plan has dealt with it, as with a name that is
// taken, or all is going to be deleted.
func againAfter(refused *plan.Refusal, p plan.Plan) plan.Plan {
	p.Retry = p.Retry || !refused.NamespaceTerminating && refused.Reason != metav1.StatusReasonAlreadyExists
	return p
}
