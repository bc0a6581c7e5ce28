package control

import (
	"errors"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/preview"
)

// about is the object that a preview is about.
type about struct {
	kind *kind.Kind // as it is served
	key  object.Key // as it is stored
}

func (s *Server) previewOperations() []operation {
	return []operation{s.scaleDownOperation(), s.deletionOperation()}
}

// objectParams are the parameters that name the object, and how much of the preview is shown.
func (s *Server) objectParams(resource string) []*huma.Param {
	text := &huma.Schema{Type: "string"}
	return []*huma.Param{
		{Name: "resource", In: "query", Required: true, Schema: text, Description: resource},
		{Name: "namespace", In: "query", Schema: text, Description: "The object's namespace; none for what has none."},
		{Name: "name", In: "query", Required: true, Schema: text, Description: "The object's name."},
		{Name: "limit", In: "query", Schema: &huma.Schema{Type: "integer"}, Description: "How much is listed at most; 500 if not given, and up to 10000. Counts are exact."},
	}
}

// objectOf reads which object a request is about; of these resources, or of any if there are none.
func (s *Server) objectOf(req *http.Request, resources []string) (about, field.ErrorList) {
	q := req.URL.Query()
	resource, namespace, name := q.Get("resource"), q.Get("namespace"), q.Get("name")
	var errs field.ErrorList
	if name == "" {
		errs = append(errs, field.Required(field.NewPath("name"), ""))
	}
	at := field.NewPath("resource")
	k := s.served(resource)
	switch {
	case resource == "":
		return about{}, append(errs, field.Required(at, ""))
	case resources != nil && !slices.Contains(resources, resource):
		return about{}, append(errs, field.NotSupported(at, resource, resources))
	case k == nil:
		return about{}, append(errs, field.Invalid(at, resource, "is not served; say the plural name and the group, as deployments.apps"))
	case k.Namespaced && namespace == "":
		errs = append(errs, field.Required(field.NewPath("namespace"), ""))
	case !k.Namespaced && namespace != "":
		errs = append(errs, field.Forbidden(field.NewPath("namespace"), resource+" have no namespace"))
	}
	stored := k
	if k.Stored != nil {
		stored = k.Stored.Kind
	}
	return about{k, object.Key{Resource: stored.Resource(), Namespace: namespace, Name: name}}, errs
}

// served is the kind of objects that is served under a resource's name; nil for none.
func (s *Server) served(resource string) *kind.Kind {
	for _, k := range s.Catalogue.All() {
		if k.Resource() == resource && k.Answer == nil && k.Derived == nil {
			return k
		}
	}
	return nil
}

// mayGet refuses users who may not read the object.
func (s *Server) mayGet(req *http.Request, a about) error {
	wants := auth.Attributes{
		Verb: "get", Group: a.kind.Group, Version: a.kind.Version, Resource: a.kind.Plural, Namespace: a.key.Namespace, Name: a.key.Name,
	}
	return auth.Check(s.Authorizer, auth.FromContext(req.Context()), wants)
}

// failure makes an error of a preview one that says its own Status.
func (a about) failure(err error) error {
	switch {
	case errors.Is(err, preview.ErrNotFound):
		return apierrors.NewNotFound(a.kind.GroupResource(), a.key.Name)
	case pg.IsRetryable(err), errors.Is(err, mirror.ErrUnavailable), errors.Is(err, mirror.ErrTooLarge):
		return apierrors.NewServiceUnavailable("the database cannot be reached")
	}
	return err
}

// limitOf is how much a preview lists. It refuses what is wrong with the request, and users who may not read the object.
func (s *Server) limitOf(req *http.Request, a about, errs field.ErrorList) (int, error) {
	if len(errs) > 0 {
		return 0, invalid(errs...)
	}
	limit, err := countOf(req, "limit", shownPreviewed, mostPreviewed)
	if err != nil {
		return 0, err
	}
	return limit, s.mayGet(req, a)
}
