package kube

import (
	"context"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// writeContext is what every write of a request has in common.
type writeContext struct {
	dryRun  bool
	writer  string // who asks, for the log
	manager string // whose the written fields are
	owned   bool   // the object has its managedFields already
	settled bool   // the object gets no defaults
	req     *http.Request
}

// write is the context of the request's write.
func (o writeOptions) write(req *http.Request) writeContext {
	wc := writeContext{dryRun: o.dryRun, writer: WriterOf(req), manager: o.fieldManager, req: req}
	if wc.manager == "" {
		wc.manager = managerOf(req.UserAgent())
	}
	return wc
}

// requestIDKey is where a context has the id of its request.
type requestIDKey struct{}

// WithRequestID returns a context whose request has an id, by which the server's log and the log of
// changes name it.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of the context's request, "" for none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// WriterOf is how the log names who sends a request: by its user, where there is a login, its
// User-Agent and its id.
func WriterOf(req *http.Request) string {
	w := object.Writer{UserAgent: req.UserAgent(), Request: RequestID(req.Context())}
	if user := auth.FromContext(req.Context()); user != auth.Local && user != auth.Anonymous {
		w.User = user.Name
	}
	return w.Text()
}

// managerOf is the field manager of a client that names none: what its User-Agent begins with.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go, prefixFromUserAgent
func managerOf(userAgent string) string {
	prefix, _, _ := strings.Cut(userAgent, "/")
	var b strings.Builder
	for _, c := range prefix {
		if !unicode.IsPrint(c) {
			continue
		}
		if b.Len()+utf8.RuneLen(c) > metavalidation.FieldManagerMaxLength {
			break
		}
		b.WriteRune(c)
	}
	return b.String()
}

// ownerOf is the writer of a subresource, nil for the object itself, to the field manager; nil
// where the object comes with its managedFields.
func (r *resource) ownerOf(wc writeContext, sub *kind.Subresource) *fieldmanager.Writer {
	if wc.owned {
		return nil
	}
	return &fieldmanager.Writer{Manager: wc.manager, Subresource: r.subresourceName(sub), At: r.Now()}
}

// subresourceName is under which name the kind has the subresource; "" for the object itself.
func (r *resource) subresourceName(sub *kind.Subresource) string {
	switch sub {
	case nil:
		return ""
	case r.Kind.Status:
		return "status"
	}
	for name, s := range r.Kind.Subresources {
		if s == sub {
			return name
		}
	}
	return ""
}

// reportOwners logs why the owners of an object's fields could not be recorded: it is stored
// without.
func (s *Server) reportOwners(err error) {
	if err != nil {
		s.Log.Error("record managed fields", "error", err)
	}
}

// keepTimes gives an object that is stored with its newer managedFields only for their times the
// times that they had.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/fieldmanager/equality.go,
// IgnoreManagedFieldsTimestampsTransformer
func (u *update) keepTimes(next object.Object, v, current *object.Version) (*object.Version, error) {
	old := current.Object().GetManagedFields()
	newer := next.GetManagedFields()
	if v.Size() != len(current.Body()) && fieldmanager.Dated(newer) == fieldmanager.Dated(old) || !fieldmanager.SameButTimes(newer, old) {
		return v, nil
	}
	next.SetManagedFields(old)
	kept, err := u.r.unstored(next, current.Revision)
	if err != nil || string(kept.Body()) == string(current.Body()) {
		return kept, err
	}
	next.SetManagedFields(newer)
	return v, nil
}
