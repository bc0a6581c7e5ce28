package control

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/preview"
	"github.com/rowlock/rowlock/internal/registry"
)

// DeletionPath is where the outcome of a deletion is previewed.
const DeletionPath = "/rowlock/v1/deletion"

// Deletion is what a DELETE of an object would remove and what it would leave behind. Of kinds that the user may not read nothing is
// listed; counts are of all.
type Deletion struct {
	ResourceVersion string `json:"resourceVersion" doc:"The revision at which this is so."`
	Propagation     string `json:"propagation" enum:"Foreground,Background,Orphan" doc:"The policy that holds: the one asked for, or that of the object or its kind."`
	Deleted         []Ref  `json:"deleted" doc:"What would be deleted: the object first, then everything that goes with it, in the order of deletion."`
	DeletedCount    int    `json:"deletedCount"`
	Orphaned        []Ref  `json:"orphaned" doc:"What would lose its last owner and stay."`
	OrphanedCount   int    `json:"orphanedCount"`
	Released        []Ref  `json:"released" doc:"What would lose an owner and stay with others."`
	ReleasedCount   int    `json:"releasedCount"`
	Held            []Held `json:"held" doc:"Deleted objects that would stay for now, because of a finalizer that nothing removes or a node that does not respond."`
	HeldCount       int    `json:"heldCount"`
}

// OpenAPIModelName names the schema.
func (Deletion) OpenAPIModelName() string { return "rowlock.v1.Deletion" }

// Ref names an object.
type Ref struct {
	Resource   string    `json:"resource" doc:"As in pods or deployments.apps."`
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Namespace  string    `json:"namespace,omitempty"`
	Name       string    `json:"name"`
	UID        types.UID `json:"uid"`
}

// OpenAPIModelName names the schema.
func (Ref) OpenAPIModelName() string { return "rowlock.v1.Ref" }

// Held is an object that waits for something else when it is deleted.
type Held struct {
	Ref
	Finalizers []string `json:"finalizers,omitempty" doc:"Those that it keeps."`
	Node       string   `json:"node,omitempty" doc:"The Pod's node, if it does not respond, so that nothing confirms the end of the Pod."`
}

// OpenAPIModelName names the schema.
func (Held) OpenAPIModelName() string { return "rowlock.v1.Held" }

// policies are those that can be asked for.
var policies = []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan}

func (s *Server) deletionOperation() operation {
	policy := &huma.Schema{Type: "string"}
	for _, p := range policies {
		policy.Enum = append(policy.Enum, string(p))
	}
	return operation{
		method: http.MethodGet, path: DeletionPath, id: "getRowlockV1Deletion", summary: "preview what a deletion would delete and leave behind",
		description: "Nothing is changed. It is what the rules of the garbage collector and of the controllers of namespaces, nodes, Jobs and volumes come to now, once grace periods have passed. Whoever owned what goes may make new ones of it; and where one owner lets go what another takes along, it depends on who is first.",
		query: append(s.objectParams("The object's resource, as in pods or deployments.apps."),
			&huma.Param{Name: "propagation", In: "query", Schema: policy, Description: "What becomes of the dependents; if not given, as the object or its kind has it."}),
		answer: Deletion{},
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
	out := Deletion{
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

func (l shown) refs(versions []*object.Version) []Ref {
	refs := []Ref{}
	for _, v := range versions {
		if len(refs) < l.limit && l.sees(v) {
			refs = append(refs, refTo(v))
		}
	}
	return refs
}

func (l shown) held(all []preview.Held) []Held {
	held := []Held{}
	for _, h := range all {
		if len(held) < l.limit && l.sees(h.Version) {
			held = append(held, Held{refTo(h.Version), h.Finalizers, h.Node})
		}
	}
	return held
}

func refTo(v *object.Version) Ref {
	return Ref{v.Type.Resource(), v.Type.GroupVersion().String(), v.Type.Kind, v.Namespace, v.Name, v.UID}
}
