package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// typed is the API that operations are registered with. Within it huma behaves as Rowlock does
// elsewhere: it reads a query as net/url does, by which permissions and limits go, and knows no
// format but JSON; and whatever goes wrong, in huma or in an operation, becomes a Status in
// Transform.
type typed struct {
	huma.API
	server *Server
}

func newTyped(api huma.API, s *Server) *typed {
	// Register describes huma's own error, which is never sent.
	api.OpenAPI().Components.Schemas.RegisterTypeAlias(reflect.TypeFor[huma.ErrorModel](), reflect.TypeFor[metav1.Status]())
	return &typed{api, s}
}

// failure is an error of an operation, on its way through huma to Transform.
type failure struct{ error }

// GetStatus implements huma.StatusError. Transform finds the code that is sent.
func (*failure) GetStatus() int { return http.StatusInternalServerError }

// Unwrap lets huma find headers (huma.ErrorWithHeaders).
func (f *failure) Unwrap() error { return f.error }

// DocumentOperation describes an operation.
func (a *typed) DocumentOperation(op *huma.Operation) {
	op.Tags, op.SkipValidateBody = []string{"rowlock"}, true // an operation judges its body by itself
	op.Responses["default"] = &huma.Response{Ref: "#/components/responses/Status"}
	for _, p := range op.Parameters {
		p.Schema.Description = "" // which the parameter has
		if p.Schema.Type != huma.TypeArray {
			p.Explode = nil
		}
	}
	a.OpenAPI().AddOperation(op)
}

// Middlewares implements huma.API.
func (a *typed) Middlewares() huma.Middlewares { return huma.Middlewares{a.begin} }

// begin gives huma a request, with its body if it is one of JSON.
func (a *typed) begin(c huma.Context, next func(huma.Context)) {
	req, w := humachi.Unwrap(c)
	e := &exchange{inner: c, server: a.server, req: req, w: w, query: req.URL.Query()}
	if body := c.Operation().RequestBody; body != nil && body.Content["application/json"] != nil {
		var err error
		if e.body, err = readBody(w, req); err != nil {
			wire.WriteStatus(w, req, a.server.Status(err))
			return
		}
	}
	next(e)
}

// Negotiate implements huma.API: answers are JSON, whatever is accepted.
func (*typed) Negotiate(string) (string, error) { return "application/json", nil }

// Unmarshal reads a body, and refuses what v has no field for.
func (*typed) Unmarshal(_ string, body []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("the body is not what is expected: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("the body goes on after its end")
	}
	return nil
}

// Transform implements huma.API: it is where errors become a Status.
func (a *typed) Transform(c huma.Context, _ string, v any) (any, error) {
	switch e := c.(*exchange); v := v.(type) {
	case *huma.ErrorModel:
		e.failed = a.server.Status(refusal(e, v.Errors))
	case *failure:
		e.failed = a.server.Status(v.error)
	}
	return v, nil
}

// Marshal sends an answer, indented for people to read. An error has been sent by SetStatus.
func (*typed) Marshal(w io.Writer, _ string, v any) error {
	switch v.(type) {
	case *huma.ErrorModel, *failure:
		return nil
	}
	writeIndented(w, v)
	return nil
}

func writeIndented(w io.Writer, v any) {
	doc, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // the types of answers encode
	}
	_, _ = w.Write(append(doc, '\n')) // the client is gone; nobody is left to be told
}

// inner is a name under which huma.Context can be embedded beside its method Context.
type inner = huma.Context

// exchange is a request and its answer as huma sees them.
type exchange struct {
	inner
	server *Server
	req    *http.Request
	w      http.ResponseWriter
	query  url.Values
	body   []byte
	failed *metav1.Status // what is answered instead
}

// serverOf is the server that an input is read for.
func serverOf(c huma.Context) *Server { return c.(*exchange).server }

// Unwrap is what humachi.Unwrap looks for.
func (e *exchange) Unwrap() huma.Context { return e.inner }

// Query is a parameter as the rest of the server reads it; huma's own reading differs for ?a, ?a;b
// and ?a=%zz.
func (e *exchange) Query(name string) string { return e.query.Get(name) }

// Param is a part of the path as it was sent.
func (e *exchange) Param(name string) string { return e.req.PathValue(name) }

// BodyReader reads the body that begin has read.
func (e *exchange) BodyReader() io.Reader { return bytes.NewReader(e.body) }

// SetReadDeadline does nothing: the body has been read, and huma's deadline would end long answers.
func (*exchange) SetReadDeadline(time.Time) error { return nil }

// SetStatus begins the answer, or sends the whole of it if it is an error.
func (e *exchange) SetStatus(code int) {
	if e.failed != nil {
		wire.WriteStatus(e.w, e.req, e.failed)
		return
	}
	e.w.Header().Set("Cache-Control", "no-cache, private")
	e.inner.SetStatus(code)
}

// maxBodyBytes is far more than any body here needs.
const maxBodyBytes = 64 << 10

// readBody reads a body of JSON. A body that is declared as anything else is refused: browsers
// declare what forms of other origins send. One that is not declared is taken for JSON, as upstream
// does.
func readBody(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	if declared := req.Header.Get("Content-Type"); declared != "" {
		if media, _, err := mime.ParseMediaType(declared); err != nil || media != "application/json" {
			return nil, notJSON(declared)
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBodyBytes))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBodyBytes))
	case err != nil:
		return nil, apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	case len(body) == 0:
		return nil, apierrors.NewBadRequest("the body is not what is expected: EOF")
	}
	return body, nil
}

// notJSON refuses a body that is declared as something else.
func notJSON(media string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType, Reason: metav1.StatusReasonUnsupportedMediaType,
		Message: fmt.Sprintf("the Content-Type %q is not supported: send application/json", media),
	}}
}
