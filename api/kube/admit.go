package kube

import (
	"cmp"
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// admit lets the kind complete a new object by what else is in the cluster, or refuse it. The Reader must be fresh. A name that
// is drawn for a generateName is not known yet where upstream does so.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/errors.go, NewForbidden
func (r *resource) admit(next object.Object) error {
	if r.stored.Admit == nil {
		return nil
	}
	return r.asked(cmp.Or(next.GetGenerateName(), generatedName(next)), func(c kind.Cluster) error { return r.stored.Admit(next, c) })
}

// deny lets the kind refuse what would be stored by what else is in the cluster; old is nil at creation. The Reader must
// be fresh.
func (r *resource) deny(next, old object.Object) error {
	if r.stored.Deny == nil {
		return nil
	}
	return r.asked(next.GetName(), func(c kind.Cluster) error { return r.stored.Deny(next, old, c) })
}

// freshen waits until the Reader knows of everything that was committed before the request, where the kind's admission
// goes by other objects.
func (r *resource) freshen(ctx context.Context, verb string, o object.Object) error {
	if r.stored.Admit == nil && r.stored.Deny == nil {
		return nil
	}
	if err := r.Reader.Fresh(ctx); err != nil {
		return r.failure(verb, o.GetNamespace(), generatedName(o), err)
	}
	return nil
}

// asked is what an admission answers, for a client.
func (r *resource) asked(name string, admission func(kind.Cluster) error) error {
	var err error
	if r.Read == nil {
		err = admission(nothing{})
	} else {
		r.Read(func(c kind.Cluster) { err = admission(c) })
	}
	var status apierrors.APIStatus
	if err == nil || errors.As(err, &status) {
		return err
	}
	return apierrors.NewForbidden(r.kind.GroupResource(), name, err)
}

// nothing is a cluster without objects.
type nothing struct{}

func (nothing) Get(object.Key) *object.Version                  { return nil }
func (nothing) Each(string, string, func(*object.Version) bool) {}
