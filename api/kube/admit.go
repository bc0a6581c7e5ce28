package kube

import (
	"context"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube/access"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/networking"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// state is the view of the cluster that the write of one object has. Its errors are those of the
// Reader, with the request attached.
type state struct {
	*resource
	ctx                   context.Context // lasts as long as the write
	verb, namespace, name string
}

var _ registry.State = (*state)(nil)

// input returns what creations and updates of an object, or of a subresource, have in common.
func (r *resource) input(s *state, wc writeContext, sub *kind.Subresource) registry.Input {
	return registry.Input{
		State: s, Subresource: sub, Owner: r.ownerOf(wc, sub), User: auth.FromContext(s.ctx).Name, Rights: access.Rights(r.Authorizer, wc.req),
		Now: r.Now(), Gates: r.Gates, WithoutAdmission: r.WithoutAdmission, PodSecurity: r.PodSecurity,
	}
}

// Get implements registry.State.
func (s *state) Get(key object.Key) *object.Version { return s.Reader.Get(key) }

// Fresh implements registry.State.
func (s *state) Fresh() error {
	if err := s.Reader.Fresh(s.ctx); err != nil {
		return s.failure(s.verb, s.namespace, s.name, err)
	}
	return nil
}

// Read implements registry.State.
func (s *state) Read(f func(kind.Cluster)) {
	if s.Server.Read == nil {
		f(nothing{})
		return
	}
	s.Server.Read(f)
}

// nothing is an empty cluster.
type nothing struct{}

func (nothing) Get(object.Key) *object.Version { return nil }

func (nothing) Each(string, string, func(*object.Version) bool) {}

// pool returns the pool from which an object with this UID gets addresses and ports; nil if the
// kind needs none. It knows what is taken as far as the mirror does; the Writer returns
// store.ErrReserved if another writer was faster.
func (r *resource) pool(uid types.UID) *kind.Pool {
	if r.Stored.Allocate == nil {
		return nil
	}
	p := &kind.Pool{
		Taken: func(key string) bool {
			if r.Holder == nil {
				return false
			}
			holder := r.Holder(key)
			return holder != "" && holder != uid
		},
		Draw: func(n int) int { return int(r.Jitter() * float64(n)) },
	}
	if r.Read != nil {
		r.Read(func(c kind.Cluster) { p.Ranges = networking.ServiceRanges(c) })
	}
	return p
}
