package control

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/preview"
	"github.com/rowlock/rowlock/internal/registry"
)

// policies are those that can be asked for.
var policies = []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan}

func (s *Server) deletionOperation() operation {
	policy := &huma.Schema{Type: "string"}
	for _, p := range policies {
		policy.Enum = append(policy.Enum, string(p))
	}
	return operation{
		method: http.MethodGet, path: v1.DeletionPath, id: "getRowlockV1Deletion", summary: "preview what a deletion would delete and leave behind",
		description: "Nothing is changed. It is what the rules of the garbage collector and of the controllers of namespaces, nodes, Jobs and volumes come to now, once grace periods have passed. Whoever owned what goes may make new ones of it; and where one owner lets go what another takes along, it depends on who is first.",
		query: append(s.objectParams("The object's resource, as in pods or deployments.apps."),
			&huma.Param{Name: "propagation", In: "query", Schema: policy, Description: "What becomes of the dependents; if not given, as the object or its kind has it."}),
		answer: v1.Deletion{},
		serve:  s.deletion,
	}
}

func (s *Server) deletion(_ http.ResponseWriter, req *http.Request) (any, error) {
	about, errs := s.objectOf(req, nil)
	policy := metav1.DeletionPropagation(req.URL.Query().Get("propagation"))
	switch policy {
	case "", metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan:
	default:
		errs = append(errs, field.NotSupported(field.NewPath("propagation"), policy, policies))
	}
	limit, err := s.limitOf(req, about, errs)
	if err != nil {
		return nil, err
	}
	if err := registry.AdmitDelete(about.kind, about.key.Name); err != nil {
		return nil, err
	}
	d, err := s.Previews.Deletion(req.Context(), about.key, policy)
	if err != nil {
		return nil, about.failure(err)
	}
	shown := s.newShown(req, limit)
	out := v1.Deletion{
		ResourceVersion: d.Revision.ResourceVersion(), Propagation: string(d.Propagation),
		Deleted: shown.refs(d.Deleted), DeletedCount: len(d.Deleted), Orphaned: shown.refs(d.Orphaned), OrphanedCount: len(d.Orphaned),
		Released: shown.refs(d.Released), ReleasedCount: len(d.Released), Held: shown.held(d.Held), HeldCount: len(d.Held),
	}
	return out, nil
}

// shown lists objects for a user.
type shown struct {
	limit int
	user  *auth.User
	s     *Server
}

func (s *Server) newShown(req *http.Request, limit int) shown {
	return shown{limit: limit, user: auth.FromContext(req.Context()), s: s}
}

// sees says whether the user may read an object. It is asked of each, as a role may name some objects of a kind alone.
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
