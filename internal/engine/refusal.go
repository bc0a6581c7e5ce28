package engine

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/registry"
)

// anySuffix stands for the random end of a name while only the form of the name matters.
const anySuffix = "00000"

// mirrored is the cluster as a planned write sees it: the mirror has what the plan was made from,
// which is fresh enough.
type mirrored struct{ *mirror.Mirror }

// Fresh implements registry.State.
func (mirrored) Fresh() error { return nil }

// Read implements registry.State.
func (m mirrored) Read(f func(kind.Cluster)) { m.Mirror.Read(func(v mirror.View) { f(v) }) }

// viewed is mirrored while the mirror is held.
type viewed struct{ mirror.View }

// Fresh implements registry.State.
func (viewed) Fresh() error { return nil }

// Read implements registry.State.
func (v viewed) Read(f func(kind.Cluster)) { f(v.View) }

// refusal returns which of a plan's creations would be refused, nil if none: one that the cluster
// has no room for, a chosen name that is taken, a namespace that is being terminated, or an invalid
// object. What changes between this sync and the commit is detected by the commit itself, which
// leaves the change out and has the object synced again.
//
// Consecutive creations of one kind with generated names come from one template, so only the first
// is judged. Creations with chosen names may differ, like the PersistentVolumeClaims and Pods of a
// StatefulSet.
func (a *applier) refusal(v mirror.View, p plan.Plan) *plan.Refusal {
	var judged *kind.Kind
	for i, c := range p.Creates {
		o := c.Object
		k := a.kinds[typeOf(o)]
		if k == nil {
			return nil // adding the plan fails, and reports why
		}
		if full := new(registry.Full); errors.As(registry.CheckRoom(v.Objects()+i, a.most), &full) {
			return refusalOf(i, full)
		}
		var ended *registry.NamespaceError
		if err := registry.AdmitNamespace(k, o, viewed{v}); errors.As(err, &ended) && ended.Terminating {
			ended.Name = o.GetName()
			refused := refusalOf(i, ended)
			refused.NamespaceTerminating = true
			return refused
		}
		if o.GetName() != "" && v.Get(object.Key{Resource: k.Resource(), Namespace: o.GetNamespace(), Name: o.GetName()}) != nil {
			return refusalOf(i, apierrors.NewAlreadyExists(k.GroupResource(), o.GetName()))
		}
		if k != judged || o.GetName() != "" {
			if err := a.judge(v, k, o); err != nil {
				return refusalOf(i, err)
			}
			judged = k
		}
	}
	return nil
}

// refusalOf returns a refusal of a plan's creations from the n-th on, counted from zero, with the
// reason.
func refusalOf(n int, why apierrors.APIStatus) *plan.Refusal {
	status := why.Status()
	return &plan.Refusal{Admitted: n, Reason: status.Reason, Message: status.Message}
}

// judge judges an object as the API would if a client created it; nil means that it is admitted and
// valid. The object is unchanged: it is completed when its plan is applied. If its name is still to
// be generated, one is generated for the message only.
func (a *applier) judge(v mirror.View, k *kind.Kind, o object.Object) apierrors.APIStatus {
	made, ok := o.DeepCopyObject().(object.Object)
	if !ok {
		return nil // adding the plan fails, and reports why
	}
	_, err := registry.Create(k, made, registry.Input{
		State: viewed{v}, NameSuffix: anySuffix, PodSecurity: a.security, User: accountPrefix + a.controller.UserAgent,
	})
	var invalid *registry.Invalid
	var forbidden *registry.Forbidden
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &invalid):
		a.rename(&invalid.Name, o)
	case errors.As(err, &forbidden) && forbidden.Name == made.GetName():
		a.rename(&forbidden.Name, o)
	}
	errors.As(err, &status)
	return status
}

// accountPrefix is the prefix of the users that admission knows controllers as.
//
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go, saRolePrefix, and
// cmd/kube-controller-manager, --use-service-account-credentials
const accountPrefix = "system:serviceaccount:kube-system:"

// rename generates the end of a name, in an error about an object whose name is still to be
// generated.
func (a *applier) rename(name *string, o object.Object) {
	if o.GetName() == "" {
		*name = object.GeneratedName(o.GetGenerateName(), a.draw.Suffix())
	}
}

// againAfter completes a plan that was made after a refusal. The refused object may be admitted
// later, when something else in the cluster changes, and nothing signals that: so it is retried,
// unless the plan has dealt with the refusal, as with a name that is taken, or everything is about
// to be deleted.
func againAfter(refused *plan.Refusal, p plan.Plan) plan.Plan {
	p.Retry = p.Retry || !refused.NamespaceTerminating && refused.Reason != metav1.StatusReasonAlreadyExists
	return p
}
