package kube

import (
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
}

// write is the context of the request's write.
func (o writeOptions) write(req *http.Request) writeContext {
	wc := writeContext{dryRun: o.dryRun, writer: WriterOf(req), manager: o.fieldManager}
	if wc.manager == "" {
		wc.manager = managerOf(req.UserAgent())
	}
	return wc
}

// WriterOf is how the log names who sends a request: by its user, where there is a login, and its User-Agent.
func WriterOf(req *http.Request) string {
	w := object.Writer{UserAgent: req.UserAgent()}
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

// by is the writer to the field manager.
func (r *resource) by(wc writeContext, sub *kind.Subresource) fieldmanager.Writer {
	return fieldmanager.Writer{Manager: wc.manager, Subresource: r.subresourceName(sub), At: r.Now()}
}

// subresourceName is under which name the kind has the subresource; "" for the object itself.
func (r *resource) subresourceName(sub *kind.Subresource) string {
	switch sub {
	case nil:
		return ""
	case r.kind.Status:
		return "status"
	}
	for name, s := range r.kind.Subresources {
		if s == sub {
			return name
		}
	}
	return ""
}

// ownNew records that the fields of a new object, of the served kind, are the client's. What is added to the object afterwards
// is nobody's.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go, createHandler
func (r *resource) ownNew(o object.Object, wc writeContext) {
	if r.kind.Default != nil {
		r.kind.Default(o)
	}
	r.reportOwners(fieldmanager.Created(&r.kind.Type, o, r.by(wc, nil)))
}

// own records that what the change makes of the current version is the client's.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/update.go, UpdateResource
func (c *change) own(next object.Object, current *object.Version) {
	if c.owned {
		return
	}
	if c.r.kind.Default != nil {
		c.r.kind.Default(next)
	}
	c.r.reportOwners(fieldmanager.Updated(&c.r.kind.Type, next, c.r.served(current), c.r.by(c.write, c.sub)))
}

// reportOwners tells of an object whose owners could not be recorded: it is stored without.
func (s *Server) reportOwners(err error) {
	if err != nil {
		s.Log.Error("record managed fields", "error", err)
	}
}

// keepTimes gives an object that is stored with its newer managedFields only for their times the times that they had.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/fieldmanager/equality.go,
// IgnoreManagedFieldsTimestampsTransformer
func (c *change) keepTimes(next object.Object, v, current *object.Version) (*object.Version, error) {
	old := current.Object().GetManagedFields()
	if v.Size() != len(current.Body()) || !fieldmanager.SameButTimes(next.GetManagedFields(), old) {
		return v, nil
	}
	newer := next.GetManagedFields()
	next.SetManagedFields(old)
	kept, err := c.r.unstored(next, current.Revision)
	if err != nil || string(kept.Body()) == string(current.Body()) {
		return kept, err
	}
	next.SetManagedFields(newer)
	return v, nil
}
