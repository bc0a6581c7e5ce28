package kube

import (
	"cmp"
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// admit lets the kind complete a new object by what else is in the cluster, or refuse it. A name that is drawn for a
// generateName is not known yet where upstream does so. Once it has answered, deny need not wait for the Reader.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/errors.go, NewForbidden
func (r *resource) admit(ctx context.Context, next object.Object) error {
	admit := r.stored.Admit
	if admit == nil && r.stored.Deny == nil {
		return nil
	}
	if err := r.Reader.Fresh(ctx); err != nil {
		return r.failure("create", next.GetNamespace(), generatedName(next), err)
	}
	if admit == nil {
		return nil
	}
	return r.asked(cmp.Or(next.GetGenerateName(), generatedName(next)), func(c kind.Cluster) error { return admit(next, c) })
}

// deny lets the kind refuse a new object by what else is in the cluster.
func (r *resource) deny(next object.Object) error {
	if r.stored.Deny == nil {
		return nil
	}
	return r.asked(next.GetName(), func(c kind.Cluster) error { return r.stored.Deny(next, c) })
}

// denyUpdate lets the kind refuse an update by what else is in the cluster.
func (r *resource) denyUpdate(ctx context.Context, next, old object.Object) error {
	if r.stored.DenyUpdate == nil {
		return nil
	}
	if err := r.Reader.Fresh(ctx); err != nil {
		return r.failure("update", next.GetNamespace(), next.GetName(), err)
	}
	return r.asked(next.GetName(), func(c kind.Cluster) error { return r.stored.DenyUpdate(next, old, c) })
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
