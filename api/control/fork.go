package control

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/fork"
	"github.com/rowlock/rowlock/internal/object"
)

type makeFork struct{ Body v1.ForkRequest }

func (s *Server) forkOperations(a *typed) {
	register(a, huma.Operation{
		Method: http.MethodGet, Path: v1.ForksPath, OperationID: "listRowlockV1Forks", Summary: "List forks",
	}, s.listForks)
	register(a, huma.Operation{
		Method: http.MethodPost, Path: v1.ForksPath, OperationID: "makeRowlockV1Fork", Summary: "Create a fork of the cluster",
		Description: "A fork is an independent cluster that starts with this cluster's state; changes in one do not affect the other. " +
			"Its whole API, including the Kubernetes API, is served below /forks/{name}, " +
			"which is the server's URL for kubectl. The fork is ready when the request returns.",
	}, s.makeFork)
	register(a, huma.Operation{
		Method: http.MethodDelete, Path: v1.ForksPath + "/{name}", OperationID: "deleteRowlockV1Fork", Summary: "Delete a fork and all its objects",
	}, s.deleteFork)
}

func showFork(f fork.Fork) v1.Fork {
	return v1.Fork{
		Name: f.Name, Path: v1.ForkPrefix + f.Name, State: string(f.State), Snapshot: f.Origin, Revision: int64(f.Revision),
		Created: f.Created, Expires: given(f.Expires),
	}
}

// errNested rejects forks of forks.
var errNested = &apierrors.StatusError{ErrStatus: metav1.Status{
	Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden,
	Message: "a fork has no forks of its own: save a snapshot of it, and make a fork of the cluster from that",
}}

func (s *Server) listForks(ctx context.Context, _ *struct{}) (v1.ForkList, error) {
	list := v1.ForkList{Items: []v1.Fork{}}
	if s.Forks == nil {
		return list, nil
	}
	all, err := s.Forks.List(ctx)
	for _, f := range all {
		list.Items = append(list.Items, showFork(f))
	}
	return list, forkFailure(err, "")
}

func (s *Server) makeFork(ctx context.Context, in *makeFork) (v1.Fork, error) {
	order, err := orderOf(in.Body)
	if err != nil {
		return v1.Fork{}, err
	}
	if s.Forks == nil {
		return v1.Fork{}, errNested
	}
	f, err := s.Forks.Make(ctx, order)
	return showFork(f), forkFailure(err, order.Name)
}

// orderOf validates a request and converts it.
func orderOf(r v1.ForkRequest) (ForkOrder, error) {
	o := ForkOrder{Name: r.Name, Revision: object.Revision(r.At), Snapshot: r.Snapshot}
	all := checkName(r.Name)
	if r.At < 0 {
		all = append(all, field.Invalid(field.NewPath("at"), r.At, "must not be negative"))
	}
	if r.At != 0 && r.Snapshot != "" {
		all = append(all, field.Forbidden(field.NewPath("snapshot"), "either at or snapshot can be given"))
	}
	if r.TTL != "" {
		var err error
		if o.TTL, err = clock.ParseDuration(r.TTL); err != nil || o.TTL <= 0 {
			all = append(all, field.Invalid(field.NewPath("ttl"), r.TTL, "must be a duration such as 90s, 36h or 7d"))
		}
	}
	if len(all) > 0 {
		return o, invalid(all...)
	}
	var err error
	o.Clock, err = clockAfter(r.Clock)
	return o, err
}

func (s *Server) deleteFork(ctx context.Context, in *Named) (v1.Fork, error) {
	if s.Forks == nil {
		return v1.Fork{}, errNested
	}
	was, err := s.Forks.Remove(ctx, in.Name)
	return showFork(was), forkFailure(err, in.Name)
}

// WriteForkFailure answers a request to a fork that does not exist or cannot be opened.
func WriteForkFailure(w http.ResponseWriter, req *http.Request, err error, name string) {
	err = forkFailure(err, name)
	var known apierrors.APIStatus
	if !errors.As(err, &known) {
		known = apierrors.NewServiceUnavailable(err.Error())
	}
	status := known.Status()
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	wire.WriteStatus(w, req, &status)
}

// forkFailure converts an error about a fork to one with a Status.
func forkFailure(err error, name string) error {
	status := func(code int32, reason metav1.StatusReason) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: code, Reason: reason, Message: err.Error(), Details: &metav1.StatusDetails{Kind: "forks", Name: name},
		}}
	}
	switch {
	case errors.Is(err, fork.ErrNotFound):
		return status(http.StatusNotFound, metav1.StatusReasonNotFound)
	case errors.Is(err, fork.ErrExists):
		return status(http.StatusConflict, metav1.StatusReasonAlreadyExists)
	case errors.Is(err, fork.ErrTooMany), errors.Is(err, fork.ErrForbidden):
		return status(http.StatusForbidden, metav1.StatusReasonForbidden)
	}
	return snapshotFailure(err, name)
}
