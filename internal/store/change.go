package store

import (
	"errors"
	"fmt"

	"github.com/rowlock/rowlock/internal/object"
)

// Change is one write of one object, already decided, defaulted and validated.
type Change struct {
	Verb object.Verb
	Type *object.Type

	// Old is the version that the change was computed from; its revision is the precondition. nil
	// for Created.
	Old *object.Version

	// New is the object to store. The caller sets its uid (also for Created, so that an unknown
	// outcome can be looked up). For Deleted it is the object's last state, or nil if that is
	// Old's. The store owns it from here on: callers must not change it.
	New object.Object
	// Body is New as object.Encode renders it; if nil, the store encodes New.
	Body []byte

	// Writer says who asked for the change: an object.Writer as text.
	Writer string

	// Controller names the reconciler whose plan this is. Its own change does not wake it for the
	// object that it planned for. Empty for clients.
	Controller string

	// Unread says that nothing reads the object; see wakeup.Diff.
	Unread bool

	// Cause is the revision that led to this change: 0 for a client's request, object.NoRequest if
	// neither a request nor a revision did.
	Cause object.Revision
}

// Key returns the key of the changed object.
func (c Change) Key() object.Key {
	if c.Old != nil {
		return c.Old.Key()
	}
	return object.Key{Resource: c.Type.Resource(), Namespace: c.New.GetNamespace(), Name: c.New.GetName()}
}

// The errors of reading the log, besides the database's own.
var (
	ErrCompacted = errors.New("the revision has been compacted")
	ErrFuture    = errors.New("the revision lies in the future")
)

// The errors of a write, besides the database's own. All are wrapped with the change's key.
var (
	ErrExists               = errors.New("the name is taken")
	ErrGone                 = errors.New("the object does not exist any more")
	ErrNamespaceNotFound    = errors.New("the namespace does not exist")
	ErrNamespaceTerminating = errors.New("the namespace is being terminated")
	// ErrDefinitionNotFound and ErrDefinitionTerminating are about the definition of a custom
	// resource. The second text is upstream's.
	ErrDefinitionNotFound    = errors.New("the custom resource definition does not exist")
	ErrDefinitionTerminating = errors.New("create not allowed while custom resource definition is terminating")
	ErrReserved              = errors.New("another object holds an address or a port of this one")
	ErrBusy                  = errors.New("the object is locked by another transaction")
	ErrUnavailable           = errors.New("the database cannot be reached and nothing was written")
	ErrUnknownOutcome        = errors.New("the connection was lost around the commit, and nobody knows whether the write took place")
)

// ConflictError says that the object has changed since Old was read.
type ConflictError struct {
	Key     object.Key
	Current object.Revision // the head's revision when the conflict was detected
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s has moved on to revision %d", e.Key, e.Current)
}
