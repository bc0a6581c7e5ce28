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

// writeContext holds what all writes of a request have in common.
type writeContext struct {
	dryRun  bool
	writer  string // the client, as the log names it
	manager string // the owner of the written fields
	owned   bool   // the object already has its managedFields
	settled bool   // the object gets no defaults
	req     *http.Request
}

// write returns the context of the request's write.
func (o writeOptions) write(req *http.Request) writeContext {
	wc := writeContext{dryRun: o.dryRun, writer: WriterOf(req), manager: o.fieldManager, req: req}
	if wc.manager == "" {
		wc.manager = managerOf(req.UserAgent())
	}
	return wc
}

// requestIDKey is the context key of a request's ID.
type requestIDKey struct{}

// WithRequestID returns a context with the ID by which the server's log and the log of changes name
// the request.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the request ID in the context, "" if there is none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// WriterOf returns the writer that the log stores for a request: its user, on a server with a
// login, its User-Agent and its ID.
func WriterOf(req *http.Request) string {
	w := object.Writer{UserAgent: req.UserAgent(), Request: RequestID(req.Context())}
	if user := auth.FromContext(req.Context()); user != auth.Local && user != auth.Anonymous {
		w.User = user.Name
	}
	return w.Text()
}

// managerOf returns the default field manager of a client: the first part of its User-Agent.
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

// ownerOf returns the field manager's view of the writer of a subresource, or of the object itself
// if sub is nil. It returns nil if the object already has its managedFields.
func (r *resource) ownerOf(wc writeContext, sub *kind.Subresource) *fieldmanager.Writer {
	if wc.owned {
		return nil
	}
	return &fieldmanager.Writer{Manager: wc.manager, Subresource: r.subresourceName(sub), At: r.Now()}
}

// subresourceName returns the name of a subresource of the kind; "" for the object itself.
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

// reportOwners logs an error of recording field owners. The object is stored without them.
func (s *Server) reportOwners(err error) {
	if err != nil {
		s.Log.Error("record managed fields", "error", err)
	}
}

// keepTimes restores the old times of managedFields if they are the only change of an object.
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
