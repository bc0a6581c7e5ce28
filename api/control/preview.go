package control

import (
	"context"
	"errors"
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

// about is the object of a preview.
type about struct {
	kind *kind.Kind // as served
	key  object.Key // as stored
}

// Previewed names the object of a preview, except its resource, and limits the answer.
type Previewed struct {
	Namespace string `query:"namespace" doc:"The object's namespace; empty for cluster-scoped objects."`
	Name      string `query:"name" required:"true" doc:"The object's name."`
	Limit     int    `query:"limit" default:"500" minimum:"0" maximum:"10000" doc:"The most items to list; default 500, at most 10000. Counts are exact."`
	about     about
}

// read finds the object of a request. Its resource must be one of resources, unless that is empty.
func (in *Previewed) read(c huma.Context, resource string, resources []string) (found []error) {
	if in.Name == "" {
		found = append(found, wrong(field.Required(field.NewPath("name"), "")))
	}
	at := field.NewPath("resource")
	k := serverOf(c).served(resource)
	switch {
	case resource == "":
		return append(found, wrong(field.Required(at, "")))
	case resources != nil && !slices.Contains(resources, resource):
		return append(found, wrong(field.NotSupported(at, resource, resources)))
	case k == nil:
		return append(found, wrong(field.Invalid(at, resource, "is not served; say the plural name and the group, as deployments.apps")))
	case k.Namespaced && in.Namespace == "":
		found = append(found, wrong(field.Required(field.NewPath("namespace"), "")))
	case !k.Namespaced && in.Namespace != "":
		found = append(found, wrong(field.Forbidden(field.NewPath("namespace"), resource+" have no namespace")))
	}
	stored := k
	if k.Stored != nil {
		stored = k.Stored.Kind
	}
	in.about = about{k, object.Key{Resource: stored.Resource(), Namespace: in.Namespace, Name: in.Name}}
	return found
}

// served returns the served kind with this resource name, or nil.
func (s *Server) served(resource string) *kind.Kind {
	for _, k := range s.Catalogue.All() {
		if k.Resource() == resource && k.Answer == nil && k.Derived == nil {
			return k
		}
	}
	return nil
}

// mayGet checks that the user may read the object.
func (s *Server) mayGet(ctx context.Context, a about) error {
	wants := auth.Attributes{
		Verb: "get", Group: a.kind.Group, Version: a.kind.Version, Resource: a.kind.Plural, Namespace: a.key.Namespace, Name: a.key.Name,
	}
	return auth.Check(s.Authorizer, auth.FromContext(ctx), wants)
}

// failure converts an error of a preview to one with a Status.
func (a about) failure(err error) error {
	switch {
	case errors.Is(err, preview.ErrNotFound):
		return apierrors.NewNotFound(a.kind.GroupResource(), a.key.Name)
	case pg.IsRetryable(err), errors.Is(err, mirror.ErrUnavailable), errors.Is(err, mirror.ErrTooLarge):
		return apierrors.NewServiceUnavailable("the database cannot be reached")
	}
	return err
}
