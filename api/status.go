package api

import (
	"context"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/store"
)

// errOptimisticLock is the text of a write conflict.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go, OptimisticLockErrorMsg
var errOptimisticLock = errors.New("the object has been modified; please apply your changes to the latest version and try again")

// Status is the one place where an error becomes a Status. Errors that carry a Status are returned
// as they are; errors of the reader and the writer become the Status of the failed request; all
// others become a 500.
func Status(err error) *metav1.Status {
	status := new(metav1.Status)
	var own apierrors.APIStatus
	var failure *kube.Failure
	switch {
	case errors.As(err, &own):
		*status = own.Status()
	case errors.As(err, &failure):
		*status = failureError(failure).Status()
	case errors.Is(err, context.DeadlineExceeded):
		*status = apierrors.NewTimeoutError("request did not complete within the allotted timeout", 0).Status()
	default:
		*status = apierrors.NewInternalError(err).Status()
	}
	status.Kind, status.APIVersion = "Status", "v1"
	if status.Status == "" {
		status.Status = metav1.StatusFailure
	}
	if status.Code == 0 {
		status.Code = http.StatusInternalServerError
	}
	return status
}

// failureError returns the Status of an error of the reader or writer.
func failureError(f *kube.Failure) apierrors.APIStatus {
	const retrySeconds = 1
	var over *kind.Exceeded
	switch {
	case errors.Is(f.Err, store.ErrExists):
		return apierrors.NewAlreadyExists(f.Resource, f.Name)
	case errors.Is(f.Err, store.ErrGone):
		return apierrors.NewNotFound(f.Resource, f.Name)
	case errors.As(f.Err, new(*store.ConflictError)):
		return apierrors.NewConflict(f.Resource, f.Name, errOptimisticLock)
	case errors.Is(f.Err, store.ErrNamespaceNotFound):
		return &registry.NamespaceError{Namespace: f.Namespace}
	case errors.Is(f.Err, store.ErrNamespaceTerminating):
		return &registry.NamespaceError{Resource: f.Resource, Name: f.Name, Namespace: f.Namespace, Terminating: true}
	case errors.Is(f.Err, store.ErrDefinitionNotFound):
		return errNotFound
	case errors.Is(f.Err, store.ErrDefinitionTerminating):
		return apierrors.NewForbidden(f.Resource, f.Name, store.ErrDefinitionTerminating)
	case errors.As(f.Err, &over):
		return apierrors.NewForbidden(f.Resource, f.Name, over)
	case errors.Is(f.Err, store.ErrCompacted):
		return expired(f)
	case errors.Is(f.Err, store.ErrBusy):
		return apierrors.NewServerTimeout(f.Resource, f.Verb, retrySeconds)
	case errors.Is(f.Err, store.ErrUnknownOutcome): // whatever error it wraps
		return apierrors.NewInternalError(f.Err)
	case pg.IsExhausted(f.Err):
		return unavailable("the database has no resources left: "+pg.Message(f.Err), retrySeconds)
	case pg.IsOtherSchema(f.Err):
		return unavailable("this replica does not match the database, which a newer Rowlock may have migrated: "+pg.Message(f.Err), retrySeconds)
	case errors.Is(f.Err, kube.ErrUnavailable), errors.Is(f.Err, kube.ErrTooLarge), errors.Is(f.Err, store.ErrUnavailable):
		return unavailable("the database cannot be reached", retrySeconds)
	case errors.Is(f.Err, context.DeadlineExceeded), errors.Is(f.Err, context.Canceled):
		return apierrors.NewTimeoutError("request did not complete within the allotted timeout", retrySeconds)
	case f.Verb == "get" || f.Verb == "list" || f.Verb == "watch":
		// A read fails only if the mirror cannot be brought up to date.
		return unavailable(f.Err.Error(), retrySeconds)
	}
	return apierrors.NewInternalError(f.Err)
}

// expired tells a client to list again.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/etcd3/errors.go
func expired(f *kube.Failure) *apierrors.StatusError {
	if f.Verb == "watch" {
		return apierrors.NewResourceExpired("The resourceVersion for the provided watch is too old.")
	}
	return apierrors.NewResourceExpired("The resourceVersion for the provided list is too old.")
}

func unavailable(reason string, retrySeconds int32) *apierrors.StatusError {
	err := apierrors.NewServiceUnavailable(reason)
	err.ErrStatus.Details = &metav1.StatusDetails{RetryAfterSeconds: retrySeconds}
	return err
}

// Errors of requests that reach no operation.
var (
	errNotFound = &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound,
		Message: "the server could not find the requested resource", Details: &metav1.StatusDetails{},
	}}
	errMethod = &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusMethodNotAllowed, Reason: metav1.StatusReasonMethodNotAllowed,
		Message: "the server does not allow this method on the requested resource", Details: &metav1.StatusDetails{},
	}}
	errPanic = apierrors.NewInternalError(errors.New("this request caused the server to panic"))
)

// writeError answers with the Status of an error.
func writeError(w http.ResponseWriter, req *http.Request, err error) {
	wire.WriteStatus(w, req, Status(err))
}
