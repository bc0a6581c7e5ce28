package cluster

import (
	"context"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

// kindsAt returns the catalogue as of a revision. Its errors are those of mirror.Mirror.At.
func (p parts) kindsAt(ctx context.Context, revision object.Revision) (*kind.Catalogue, error) {
	return p.definitions.At(ctx, definitionLog{p.mirror}, revision)
}

// definitionLog reads the definitions of the past.
type definitionLog struct{ *mirror.Mirror }

// Definitions implements definition.Log.
func (l definitionLog) Definitions(ctx context.Context, revision object.Revision) (all []*object.Version, err error) {
	s, err := l.At(ctx, apiextensions.CustomResourceDefinition.Resource(), "", revision)
	if err != nil {
		return nil, err
	}
	s.Ascend(object.Key{}, func(v *object.Version) bool {
		all = append(all, v)
		return true
	})
	return all, nil
}
