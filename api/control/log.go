package control

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/store"
)

// How much is answered: changes on a page, steps back, points.
const (
	shownChanges, mostChanges = 100, 1000
	shownCauses, mostCauses   = 100, 1000
	shownPoints, mostPoints   = 200, 2000
)

func param(name, kind, description string) *huma.Param {
	return &huma.Param{Name: name, In: "query", Schema: &huma.Schema{Type: kind}, Description: description}
}

func (s *Server) logOperations() []operation {
	revision := &huma.Param{Name: "revision", In: "path", Required: true, Schema: &huma.Schema{Type: "integer"}}
	one := v1.ChangesPath + "/{revision}"
	return []operation{
		{
			method: http.MethodGet, path: v1.ChangesPath, id: "listRowlockV1Changes", summary: "read the log: who changed what, and why",
			description: "Users see the changes of what they may list. A revision before the compaction is answered with 410. " +
				"With watch=true the changes after the revision, or from now on, are sent as they come, each as a line of JSON; a last line of the kind Status says " +
				"why no more come. While nothing changes, an empty line is sent each minute. Who does not read them is cut off after a minute.",
			query: []*huma.Param{
				param("after", "integer", "Only changes after this revision."),
				param("before", "integer", "Only changes before this revision."),
				param("limit", "integer", "How many changes to answer at most, up to 1000; 100 if not given."),
				param("newest", "boolean", "Begin with the newest."),
				param("resource", "string", "Only of this resource, such as pods or deployments.apps; may be given several times."),
				param("namespace", "string", "Only in this namespace."),
				param("name", "string", "Only of objects of this name."),
				param("uid", "string", "Only of this object."),
				param("verb", "string", "Only changes that did this: created, updated or deleted."),
				param("requests", "boolean", "Only what requests of clients did themselves, not what controllers did in consequence."),
				param("bodies", "boolean", "With each object as the change left it; of one object only, which uid names. The page ends where they become more than 8 MiB."),
				param("watch", "boolean", "Send the changes as they come."),
			},
			answer: v1.ChangeList{}, serve: s.serveChanges,
		},
		{
			method: http.MethodGet, path: one, id: "readRowlockV1Change", summary: "read a change, with the object before and after it",
			query: []*huma.Param{revision}, answer: v1.ChangeDetail{}, serve: s.serveChange,
		},
		{
			method: http.MethodGet, path: one + v1.CausesSuffix, id: "readRowlockV1ChangeCauses", summary: "read what led to a change, back to the request that began it",
			query:  []*huma.Param{revision, param("limit", "integer", "How many changes to answer at most, up to 1000; 100 if not given.")},
			answer: v1.ChangeCauses{}, serve: s.serveCauses,
		},
		{
			method: http.MethodGet, path: v1.HistoryPath, id: "readRowlockV1History", summary: "read how far the log goes back, and when it had come how far",
			query:  []*huma.Param{param("points", "integer", "How many points to answer at most, up to 2000; 200 if not given.")},
			answer: v1.History{}, serve: s.serveHistory,
		},
	}
}

func showChange(e store.Entry) v1.Change {
	return v1.Change{
		Revision: int64(e.Revision), At: e.At.UTC(), Verb: string(e.Verb), Resource: e.Type.Resource(), Kind: e.Type.Kind, APIVersion: e.Type.GroupVersion().String(),
		Namespace: e.Namespace, Name: e.Name, UID: e.UID, Cause: int64(max(e.Cause, 0)),
		Writer: v1.ChangeWriter{User: e.Writer.User, UserAgent: e.Writer.UserAgent, Request: e.Writer.Request, Controller: e.Writer.Controller},
	}
}

func (s *Server) serveChange(_ http.ResponseWriter, req *http.Request) (any, error) {
	revision, err := revisionOf(req)
	if err != nil {
		return nil, err
	}
	c, err := s.Chronicle.Change(req.Context(), revision)
	if err != nil {
		return nil, logFailure(revision, err)
	}
	if s.permit(req, "get", c.Type, c.Namespace, c.Name) != nil {
		return nil, hidden(revision)
	}
	d := v1.ChangeDetail{Change: showChange(c.Entry), PreviousExpired: c.Verb != object.Created && c.Old == nil}
	if c.New != nil {
		d.Object = c.New.AppendJSON(nil)
	}
	if c.Old != nil {
		d.Previous = c.Old.AppendJSON(nil)
	}
	return d, nil
}

func (s *Server) serveCauses(_ http.ResponseWriter, req *http.Request) (any, error) {
	revision, err := revisionOf(req)
	if err != nil {
		return nil, err
	}
	limit, err := countOf(req, "limit", shownCauses, mostCauses)
	if err != nil {
		return nil, err
	}
	limit = max(limit, 1)
	chain, err := s.Chronicle.Causes(req.Context(), revision, limit)
	if err != nil {
		return nil, logFailure(revision, err)
	}
	c := v1.ChangeCauses{Items: []v1.Change{}}
	for i, e := range chain {
		switch err := s.permit(req, "get", e.Type, e.Namespace, e.Name); {
		case err != nil && i == 0:
			return nil, hidden(revision)
		case err != nil:
			c.Reason = fmt.Sprintf("what led to revision %d is a change of something that you may not read", chain[i-1].Revision)
			return c, nil //nolint:nilerr // the chain ends here for them, which is an answer
		}
		c.Items = append(c.Items, showChange(e))
	}
	switch last := chain[len(chain)-1]; {
	case last.Cause == 0:
		c.Complete = true
	case last.Cause < 0:
		c.Complete, c.Reason = true, fmt.Sprintf("no request led to revision %d: its time had come, or a controller looked on its round", last.Revision)
	case len(chain) == limit:
		c.Reason = fmt.Sprintf("there is more behind revision %d", last.Revision)
	default:
		c.Reason = fmt.Sprintf("revision %d, which led to revision %d, has been compacted", last.Cause, last.Revision)
	}
	return c, nil
}

func (s *Server) serveHistory(_ http.ResponseWriter, req *http.Request) (any, error) {
	n, err := countOf(req, "points", shownPoints, mostPoints)
	if err != nil {
		return nil, err
	}
	oldest, newest, points, err := s.Chronicle.Points(req.Context(), max(n, 2))
	if err != nil {
		return nil, logFailure(0, err)
	}
	show := func(p store.Point) v1.HistoryPoint {
		return v1.HistoryPoint{Revision: int64(p.Revision), At: p.At.UTC()}
	}
	h := v1.History{Oldest: show(oldest), Newest: show(newest), Points: []v1.HistoryPoint{}}
	for _, p := range points {
		h.Points = append(h.Points, show(p))
	}
	return h, nil
}

// permit says whether the user may read an object, or objects, of which the log tells.
func (s *Server) permit(req *http.Request, verb string, t *object.Type, namespace, name string) error {
	return auth.Check(s.Authorizer, auth.FromContext(req.Context()), aboutLog(verb, t, namespace, name))
}

// hidden refuses to show a change of an object that the user may not read. It does not say which object that is: users who count
// revisions would learn the names of all of them.
func hidden(revision object.Revision) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden,
		Message: fmt.Sprintf("revision %d changed an object that you may not read", revision),
		Details: &metav1.StatusDetails{Kind: "changes", Name: revision.ResourceVersion()},
	}}
}

// aboutLog is the request by which the Kubernetes API, or for a fault Rowlock's own, would show the object of a change.
func aboutLog(verb string, t *object.Type, namespace, name string) auth.Attributes {
	if t.Resource() == faultResource.String() {
		return auth.Attributes{Verb: "get", Path: v1.FaultsPath}
	}
	return auth.Attributes{Verb: verb, Group: t.Group, Version: t.Version, Resource: t.Plural, Namespace: namespace, Name: name}
}

// revisionOf is the revision in the request's path.
func revisionOf(req *http.Request) (object.Revision, error) {
	text := req.PathValue("revision")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, invalid(field.Invalid(field.NewPath("revision"), text, "must be the number of a revision"))
	}
	return object.Revision(n), nil
}

// logFailure makes an error about the log one that says its own Status.
func logFailure(revision object.Revision, err error) error {
	switch {
	case errors.Is(err, store.ErrCompacted):
		return apierrors.NewResourceExpired("the log has been compacted past what is asked for; /rowlock/v1/history says how far back it goes")
	case errors.Is(err, store.ErrFuture):
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound,
			Message: fmt.Sprintf("there is no revision %d yet", revision),
			Details: &metav1.StatusDetails{Kind: "changes", Name: revision.ResourceVersion()},
		}}
	case pg.IsRetryable(err), errors.Is(err, mirror.ErrUnavailable):
		return apierrors.NewServiceUnavailable("the database cannot be reached")
	}
	return err
}
