package kube

import (
	"context"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

// Event is one change of the watched resource. Old is the previous version of the object, nil if
// New created it.
type Event = mirror.Event

// Errors of a Reader.
var (
	ErrTooLarge    = mirror.ErrTooLarge
	ErrUnavailable = mirror.ErrUnavailable
)

// Mirror adapts a mirror to Reader.
func Mirror(m *mirror.Mirror) Reader { return mirrored{m} }

type mirrored struct{ *mirror.Mirror }

// List implements Reader.
func (m mirrored) List(resource, namespace string) Snapshot {
	return m.Mirror.List(resource, namespace)
}

// At implements Reader.
func (m mirrored) At(ctx context.Context, resource, namespace string, rev object.Revision) (Snapshot, error) {
	s, err := m.Mirror.At(ctx, resource, namespace, rev)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Watch implements Reader.
func (m mirrored) Watch(resource, namespace string, from object.Revision) (Watch, error) {
	w, err := m.Mirror.Watch(resource, namespace, from)
	if err != nil {
		return nil, err
	}
	return w, nil
}
