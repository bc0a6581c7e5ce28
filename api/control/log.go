package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/store"
)

type listChanges struct {
	After     int64    `query:"after" minimum:"0" doc:"Only changes after this revision."`
	Before    int64    `query:"before" minimum:"0" doc:"Only changes before this revision."`
	Limit     int      `query:"limit" default:"100" exclusiveMinimum:"0" maximum:"1000" doc:"The most changes to return; default 100, at most 1000."`
	Newest    bool     `query:"newest" doc:"List the newest changes first."`
	Resource  []string `query:"resource,explode" nullable:"false" doc:"Only this resource, such as pods or deployments.apps; repeatable."`
	Namespace string   `query:"namespace" doc:"Only objects in this namespace."`
	Name      string   `query:"name" doc:"Only objects with this name."`
	UID       string   `query:"uid" doc:"Only the object with this UID."`
	Verb      string   `query:"verb" enum:"created,updated,deleted" doc:"Only changes of this kind: created, updated or deleted."`
	Requests  bool     `query:"requests" doc:"Only changes made by client requests, not by controllers."`
	Bodies    bool     `query:"bodies" doc:"Include the object after each change. It requires uid, and a page ends at 8 MiB of objects."`
	Watch     bool     `query:"watch" doc:"Stream changes as they occur."`
}

// Resolve implements huma.Resolver. It reads the resources itself, because huma ignores a list
// whose first value is empty, which must be rejected.
func (in *listChanges) Resolve(c huma.Context) []error {
	u := c.URL()
	in.Resource = u.Query()["resource"]
	return nil
}

// OneChange is the input of an operation on a change.
type OneChange struct {
	Revision object.Revision `path:"revision" minimum:"1"`
}

type listCauses struct {
	OneChange
	Limit int `query:"limit" default:"100" minimum:"0" maximum:"1000" doc:"The most changes to return; default 100, at most 1000."`
}

type readHistory struct {
	Points int `query:"points" default:"200" minimum:"0" maximum:"2000" doc:"The most points to return; default 200, at most 2000."`
}

func (s *Server) logOperations(a *typed) {
	const one = v1.ChangesPath + "/{revision}"
	registerWriter(a, huma.Operation{
		Method: http.MethodGet, Path: v1.ChangesPath, OperationID: "listRowlockV1Changes", Summary: "List changes of the log: who changed what, and why",
		Description: "Users see changes of the objects that they may list. A revision that has been compacted fails with 410. " +
			"With watch=true, the response is a stream of JSON lines: the changes after the given revision or, " +
			"without one, from now on. The last line is a Status that says why the stream ends. " +
			"An empty line is sent every minute while nothing changes. " +
			"A client that does not read for a minute is disconnected.",
	}, jsonOf[v1.ChangeList](a), s.listChanges)
	register(a, huma.Operation{
		Method: http.MethodGet, Path: one, OperationID: "readRowlockV1Change", Summary: "Get a change, with the object before and after it",
	}, s.readChange)
	register(a, huma.Operation{
		Method: http.MethodGet, Path: one + v1.CausesSuffix, OperationID: "readRowlockV1ChangeCauses",
		Summary: "List the causes of a change, back to the original request",
	}, s.listCauses)
	register(a, huma.Operation{
		Method: http.MethodGet, Path: v1.HistoryPath, OperationID: "readRowlockV1History", Summary: "Get the range of the log, with the times of revisions",
	}, s.readHistory)
}

func showChange(e store.Entry) v1.Change {
	return v1.Change{
		Revision: int64(e.Revision), At: e.At.UTC(), Verb: e.Verb.String(), Resource: e.Type.Resource(),
		Kind: e.Type.Kind, APIVersion: e.Type.GroupVersion().String(),
		Namespace: e.Namespace, Name: e.Name, UID: e.UID, Cause: int64(max(e.Cause, 0)),
		Writer: v1.ChangeWriter{User: e.Writer.User, UserAgent: e.Writer.UserAgent, Request: e.Writer.Request, Controller: e.Writer.Controller},
	}
}

func (s *Server) readChange(ctx context.Context, in *OneChange) (v1.ChangeDetail, error) {
	c, err := s.Chronicle.Change(ctx, in.Revision)
	if err != nil {
		return v1.ChangeDetail{}, logFailure(in.Revision, err)
	}
	if s.permit(ctx, "get", c.Type, c.Namespace, c.Name) != nil {
		return v1.ChangeDetail{}, hidden(in.Revision)
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

func (s *Server) listCauses(ctx context.Context, in *listCauses) (v1.ChangeCauses, error) {
	c := v1.ChangeCauses{Items: []v1.Change{}}
	limit := max(in.Limit, 1)
	chain, err := s.Chronicle.Causes(ctx, in.Revision, limit)
	if err != nil {
		return c, logFailure(in.Revision, err)
	}
	for i, e := range chain {
		switch err := s.permit(ctx, "get", e.Type, e.Namespace, e.Name); {
		case err != nil && i == 0:
			return c, hidden(in.Revision)
		case err != nil:
			c.Reason = fmt.Sprintf("what led to revision %d is a change of something that you may not read", chain[i-1].Revision)
			return c, nil //nolint:nilerr // the user sees the chain up to here
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

func (s *Server) readHistory(ctx context.Context, in *readHistory) (v1.History, error) {
	oldest, newest, points, err := s.Chronicle.Points(ctx, max(in.Points, 2))
	if err != nil {
		return v1.History{}, logFailure(0, err)
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

// permit checks that the user may read an object, or a collection, in the log.
func (s *Server) permit(ctx context.Context, verb string, t *object.Type, namespace, name string) error {
	return auth.Check(s.Authorizer, auth.FromContext(ctx), aboutLog(verb, t, namespace, name))
}

// hidden rejects reading a change of an object that the user may not read. It does not name the
// object: otherwise users could enumerate all names by counting revisions.
func hidden(revision object.Revision) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden,
		Message: fmt.Sprintf("revision %d changed an object that you may not read", revision),
		Details: &metav1.StatusDetails{Kind: "changes", Name: revision.ResourceVersion()},
	}}
}

// aboutLog returns the attributes of the request with which the Kubernetes API, or Rowlock's own
// API for a fault, would show the object of a change.
func aboutLog(verb string, t *object.Type, namespace, name string) auth.Attributes {
	if t.Resource() == faultResource.String() {
		return auth.Attributes{Verb: "get", Path: v1.FaultsPath}
	}
	return auth.Attributes{Verb: verb, Group: t.Group, Version: t.Version, Resource: t.Plural, Namespace: namespace, Name: name}
}

// logFailure converts an error about the log to one with a Status.
func logFailure(revision object.Revision, err error) error {
	switch {
	case errors.Is(err, store.ErrCompacted):
		return apierrors.NewResourceExpired("the requested revision has been compacted; GET /rowlock/v1/history shows the oldest that is left")
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
