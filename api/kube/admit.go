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

// state is what a write of one object sees of the cluster. Its errors are those of the Reader,
// attached to the request.
type state struct {
	*resource
	ctx                   context.Context // lasts as long as the write
	verb, namespace, name string
}

var _ registry.State = (*state)(nil)

// input is what a creation and an update of an object, or of a subresource, have in common.
func (r *resource) input(s *state, wc writeContext, sub *kind.Subresource) registry.Input {
	return registry.Input{
		State: s, Subresource: sub, Owner: r.ownerOf(wc, sub), User: auth.FromContext(s.ctx).Name, Rights: access.Rights(r.Authorizer, wc.req),
		Now: r.Now(), Gates: r.Gates, WithoutAdmission: r.WithoutAdmission, PodSecurity: r.PodSecurity,
	}
}

// Get is registry.State's.
func (s *state) Get(key object.Key) *object.Version { return s.Reader.Get(key) }

// Fresh is registry.State's.
func (s *state) Fresh() error {
	if err := s.Reader.Fresh(s.ctx); err != nil {
		return s.failure(s.verb, s.namespace, s.name, err)
	}
	return nil
}

// Read is registry.State's.
func (s *state) Read(f func(kind.Cluster)) {
	if s.Server.Read == nil {
		f(nothing{})
		return
	}
	s.Server.Read(f)
}

// nothing is a cluster without objects.
type nothing struct{}

func (nothing) Get(object.Key) *object.Version { return nil }

func (nothing) Each(string, string, func(*object.Version) bool) {}

// pool is where an object of that uid takes addresses and ports; nil where the kind has none. What
// is taken is judged by what is known; the Writer answers store.ErrReserved where another writer
// was faster.
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
