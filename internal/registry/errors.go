package registry

import (
	"errors"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
)

// Invalid says that an object, or a request about it, is not valid.
type Invalid struct {
	Kind   schema.GroupKind
	Name   string
	Errors field.ErrorList
}

// Status is 422 Unprocessable Entity.
func (e *Invalid) Status() metav1.Status {
	return kind.Invalid(e.Kind, e.Name, e.Errors).Status()
}

func (e *Invalid) Error() string { return e.Status().Message }

// Forbidden says that admission refuses a write.
type Forbidden struct {
	Resource schema.GroupResource
	Name     string
	Err      error
}

// Status is 403 Forbidden.
func (e *Forbidden) Status() metav1.Status {
	return apierrors.NewForbidden(e.Resource, e.Name, e.Err).Status()
}

func (e *Forbidden) Error() string { return e.Status().Message }

// Unwrap returns the reason.
func (e *Forbidden) Unwrap() error { return e.Err }

// Conflict says that the object is not the one that a write expects, or not in the expected state.
type Conflict struct {
	Resource schema.GroupResource
	Name     string
	Err      error
}

// Status is 409 Conflict.
func (e *Conflict) Status() metav1.Status {
	return apierrors.NewConflict(e.Resource, e.Name, e.Err).Status()
}

func (e *Conflict) Error() string { return e.Status().Message }

// Unwrap returns the reason.
func (e *Conflict) Unwrap() error { return e.Err }

// NamespaceError says that nothing can be created in a namespace: it is terminating or, if
// Terminating is false, does not exist.
type NamespaceError struct {
	Resource        schema.GroupResource // of the object
	Name, Namespace string               // of the object
	Terminating     bool
}

// Status is 404 Not Found or, for a terminating namespace, 403 Forbidden.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go, Admit
func (e *NamespaceError) Status() metav1.Status {
	if !e.Terminating {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, e.Namespace).Status()
	}
	status := apierrors.NewForbidden(e.Resource, e.Name,
		fmt.Errorf("unable to create new content in namespace %s because it is being terminated", e.Namespace)).Status()
	status.Details.Causes = append(status.Details.Causes, metav1.StatusCause{
		Type: corev1.NamespaceTerminatingCause, Message: fmt.Sprintf("namespace %s is being terminated", e.Namespace),
		Field: "metadata.namespace",
	})
	return status
}

func (e *NamespaceError) Error() string { return e.Status().Message }

// Exhausted says that nothing is left of what an object must be given, such as addresses.
type Exhausted struct{ Err error }

// Status is 500 Internal Server Error, as upstream's.
func (e *Exhausted) Status() metav1.Status { return apierrors.NewInternalError(e.Err).Status() }

func (e *Exhausted) Error() string { return e.Status().Message }

// Unwrap returns the reason.
func (e *Exhausted) Unwrap() error { return e.Err }

// Unclassified is an error that upstream has no type for, and answers as a fault of the server,
// with the error's own text.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/status.go, ErrorToAPIStatus
type Unclassified struct{ Err error }

// Status is 500 Internal Server Error, without a reason.
func (e *Unclassified) Status() metav1.Status {
	return metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: e.Err.Error()}
}

func (e *Unclassified) Error() string { return e.Err.Error() }

// Unwrap returns the error itself.
func (e *Unclassified) Unwrap() error { return e.Err }

// Untyped returns an error that carries its own Status: err, or an *Unclassified.
func Untyped(err error) error {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return err
	}
	return &Unclassified{Err: err}
}
