package control

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/preview"
	"github.com/rowlock/rowlock/internal/registry"
)

type previewDeletion struct {
	Resource string `query:"resource" required:"true" doc:"The object's resource with its group, such as pods or deployments.apps."`
	Previewed
	Propagation string `query:"propagation" enum:"Background,Foreground,Orphan" doc:"The propagation policy; default is that of the object or its kind."`
}

// Resolve implements huma.Resolver.
func (in *previewDeletion) Resolve(c huma.Context) []error { return in.read(c, in.Resource, nil) }

func (s *Server) deletionOperation(a *typed) {
	register(a, huma.Operation{
		Method: http.MethodGet, Path: v1.DeletionPath, OperationID: "getRowlockV1Deletion", Summary: "Preview a deletion",
		Description: "Lists what a deletion would delete, and what it would leave behind, without changing anything. " +
			"The preview applies the rules of the garbage collector and of the namespace, node, Job and volume controllers " +
			"to the current state, and assumes that grace periods have passed. " +
			"It does not show objects that controllers create as replacements. " +
			"If one owner would orphan an object and another would delete it, " +
			"the actual outcome depends on which is processed first.",
	}, s.deletion)
}

func (s *Server) deletion(ctx context.Context, in *previewDeletion) (v1.Deletion, error) {
	about := in.about
	if err := s.mayGet(ctx, about); err != nil {
		return v1.Deletion{}, err
	}
	if err := registry.AdmitDelete(about.kind, about.key.Name); err != nil {
		return v1.Deletion{}, err
	}
	d, err := s.Previews.Deletion(ctx, about.key, metav1.DeletionPropagation(in.Propagation))
	if err != nil {
		return v1.Deletion{}, about.failure(err)
	}
	shown := shown{limit: in.Limit, user: auth.FromContext(ctx), s: s}
	return v1.Deletion{
		ResourceVersion: d.Revision.ResourceVersion(), Propagation: string(d.Propagation),
		Deleted: shown.refs(d.Deleted), DeletedCount: len(d.Deleted), Orphaned: shown.refs(d.Orphaned), OrphanedCount: len(d.Orphaned),
		Released: shown.refs(d.Released), ReleasedCount: len(d.Released), Held: shown.held(d.Held), HeldCount: len(d.Held),
	}, nil
}

// shown selects the objects that an answer shows to a user.
type shown struct {
	limit int
	user  *auth.User
	s     *Server
}

// sees reports whether the user may read an object. It checks each object, because a role may allow
// only certain names.
func (l shown) sees(v *object.Version) bool {
	return l.s.Authorizer.Allows(l.user, auth.Attributes{
		Verb: "get", Group: v.Type.Group, Version: v.Type.Version, Resource: v.Type.Plural, Namespace: v.Namespace, Name: v.Name,
	})
}

func (l shown) refs(versions []*object.Version) []v1.Ref {
	refs := []v1.Ref{}
	for _, v := range versions {
		if len(refs) < l.limit && l.sees(v) {
			refs = append(refs, refTo(v))
		}
	}
	return refs
}

func (l shown) held(all []preview.Held) []v1.Held {
	held := []v1.Held{}
	for _, h := range all {
		if len(held) < l.limit && l.sees(h.Version) {
			held = append(held, v1.Held{Ref: refTo(h.Version), Finalizers: h.Finalizers, Node: h.Node})
		}
	}
	return held
}

func refTo(v *object.Version) v1.Ref {
	return v1.Ref{
		Resource: v.Type.Resource(), APIVersion: v.Type.GroupVersion().String(), Kind: v.Type.Kind, Namespace: v.Namespace, Name: v.Name, UID: v.UID,
	}
}
