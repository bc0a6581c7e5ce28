package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/chronicle"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

func (s *Server) listChanges(ctx context.Context, in *listChanges) (writer, error) {
	q, err := s.logQuery(ctx, in)
	if err != nil {
		return nil, err
	}
	if in.Watch {
		return s.watchChanges(ctx, q)
	}
	page, err := s.Chronicle.Log(ctx, q)
	if err != nil {
		return nil, logFailure(q.After, err)
	}
	list := v1.ChangeList{Items: []v1.Change{}, Next: int64(page.Next), Oldest: int64(page.Oldest), Newest: int64(page.Newest)}
	for _, e := range page.Entries {
		list.Items = append(list.Items, showChange(e))
	}
	if in.Bodies {
		if err := s.addBodies(ctx, &list); err != nil {
			return nil, logFailure(q.After, err)
		}
	}
	return func(w http.ResponseWriter) { writeJSON(w, list) }, nil
}

// mostBodies limits the bytes of bodies on a page, unless the first body alone exceeds it. bodyStep
// is the number of bodies read at a time.
const mostBodies, bodyStep = 8 << 20, 20

// addBodies adds to each change the object that it left, and shortens the page if the objects are
// too large.
func (s *Server) addBodies(ctx context.Context, list *v1.ChangeList) error {
	size := 0
	for from := 0; from < len(list.Items); from += bodyStep {
		items := list.Items[from:min(from+bodyStep, len(list.Items))]
		revisions := make([]object.Revision, len(items))
		for i, c := range items {
			revisions[i] = object.Revision(c.Revision)
		}
		versions, err := s.Chronicle.Bodies(ctx, revisions)
		if err != nil {
			return err
		}
		found := make(map[object.Revision]json.RawMessage, len(versions))
		for _, v := range versions {
			if found[v.Revision], err = withoutManagedFields(v.AppendJSON(nil)); err != nil {
				return fmt.Errorf("control: read revision %d: %w", v.Revision, err)
			}
		}
		for i := range items {
			items[i].Object = found[object.Revision(items[i].Revision)]
			if size += len(items[i].Object); size > mostBodies && from+i > 0 {
				list.Next = list.Items[from+i-1].Revision
				list.Items = list.Items[:from+i]
				return nil
			}
		}
	}
	return nil
}

// withoutManagedFields removes managedFields from an object's JSON, because they are long and
// rarely read.
func withoutManagedFields(doc []byte) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(doc, &fields); err != nil {
		return nil, err
	}
	var metadata map[string]json.RawMessage
	if err := json.Unmarshal(fields["metadata"], &metadata); err != nil {
		return nil, err
	}
	delete(metadata, "managedFields")
	fields["metadata"] = marshal(metadata)
	return marshal(fields), nil
}

// logQuery converts a request to a query of the log, limited to what the user may see.
func (s *Server) logQuery(ctx context.Context, in *listChanges) (store.LogQuery, error) {
	if in.Watch && (in.Newest || in.Before > 0) {
		return store.LogQuery{}, invalid(field.Forbidden(field.NewPath("watch"), "goes on for ever from one revision: neither before nor newest can be given"))
	}
	verb, err := object.VerbOf(in.Verb)
	if err != nil {
		return store.LogQuery{}, err
	}
	seen, err := s.visible(ctx, in.Resource, in.Watch, in.Namespace)
	switch {
	case err != nil:
	case in.Bodies && in.Watch:
		err = invalid(field.Forbidden(field.NewPath("bodies"), "cannot be had with watch"))
	case in.Bodies && in.UID == "":
		err = invalid(field.Required(field.NewPath("uid"), "bodies are served of one object at a time"))
	}
	return store.LogQuery{
		After: object.Revision(in.After), Before: object.Revision(in.Before), Limit: in.Limit, Newest: in.Newest, Resources: seen,
		Namespace: in.Namespace, Name: in.Name, UID: types.UID(in.UID), Verb: verb, Requests: in.Requests,
	}, err
}

// visible returns the requested resources or, if none is requested, all that the user may see; nil
// means all resources. It fails if the user requests one that they may not see.
func (s *Server) visible(ctx context.Context, named []string, watch bool, namespace string) ([]string, error) {
	verb := "list"
	if watch {
		verb = "watch"
	}
	if len(named) == 0 {
		all := s.Catalogue.Stored()
		seen := make([]string, 0, len(all))
		for _, k := range all {
			if s.Authorizer.Allows(auth.FromContext(ctx), aboutLog(verb, &k.Type, namespace, "")) {
				seen = append(seen, k.Resource())
			}
		}
		if len(seen) == len(all) {
			return nil, nil
		}
		return seen, nil
	}
	seen := make([]string, 0, len(named))
	for _, name := range named {
		k := s.Catalogue.ByResource(name)
		if k != nil && k.Stored != nil {
			k = k.Stored.Kind
		}
		if k == nil || !slices.Contains(s.Catalogue.Stored(), k) {
			return nil, invalid(field.Invalid(field.NewPath("resource"), name, "must be a resource that is stored, with its group, such as pods or deployments.apps"))
		}
		if err := s.permit(ctx, verb, &k.Type, namespace, ""); err != nil {
			return nil, err
		}
		seen = append(seen, k.Resource())
	}
	return seen, nil
}

// watchChanges streams the changes after a revision, or from now on, until the client disconnects
// or the changes can no longer be followed.
func (s *Server) watchChanges(ctx context.Context, q store.LogQuery) (writer, error) {
	from := q.After
	page, err := s.Chronicle.Log(ctx, store.LogQuery{After: q.After, Limit: 1}) // fails if the revision has been compacted
	if err != nil {
		return nil, logFailure(q.After, err)
	}
	if from == 0 {
		from = page.Newest
	}
	follower, err := s.Chronicle.Follow(from)
	if err != nil {
		return nil, logFailure(q.After, err)
	}
	return func(w http.ResponseWriter) {
		defer follower.Close()
		out := s.stream(w)
		if out.send(nil) != nil {
			return // the client has disconnected
		}
		err := out.follow(ctx, follower, q)
		var status *apierrors.StatusError
		if ctx.Err() == nil && !errors.Is(err, errClientGone) && errors.As(logFailure(from, err), &status) {
			_ = out.send(append(marshal(s.Status(status)), '\n')) // best effort: the stream ends anyway
		}
	}, nil
}

// follow sends the requested changes until an error occurs.
func (o changeStream) follow(ctx context.Context, f *chronicle.Follower, q store.LogQuery) error {
	sent := time.Now()
	for {
		until, cancel := context.WithDeadline(ctx, sent.Add(o.heartbeat))
		entries, err := f.Next(until)
		silent := until.Err() != nil && ctx.Err() == nil
		cancel()
		var lines []byte
		switch {
		case silent:
			lines = []byte{'\n'}
		case err != nil:
			return err
		}
		for _, e := range entries {
			if q.Matches(e) {
				lines = append(append(lines, marshal(showChange(e))...), '\n')
			}
		}
		if len(lines) == 0 {
			continue
		}
		if err := o.send(lines); err != nil {
			return err
		}
		sent = time.Now()
	}
}
