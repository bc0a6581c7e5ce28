package kube

import (
	"github.com/rowlock/rowlock/api/kube/connect"
	"github.com/rowlock/rowlock/internal/object"
)

// reaching returns the handler of the subresources that reach into objects of the resource.
func (r *resource) reaching() *connect.Handler {
	return &connect.Handler{
		Resource: r.Kind.Resource(), Reader: source{r.Reader},
		Target: r.read, Failure: r.failure, Refuse: r.writeError,
		Logs: r.Logs, Inside: r.Inside, Sessions: r.Sessions,
		Authorizer: r.Authorizer, Now: r.Now, Jitter: r.Jitter, Read: r.Read, SlowAfter: r.SlowAfter,
	}
}

// source adapts a Reader to connect.Source.
type source struct{ Reader }

// Follow implements connect.Source.
func (s source) Follow(resource, namespace string, from object.Revision) (connect.Follow, error) {
	w, err := s.Watch(resource, namespace, from)
	if err != nil {
		return nil, err
	}
	return w, nil
}
