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

// typed is the API on which operations are registered. It makes huma behave like the rest of
// Rowlock: it parses queries as net/url does, because authorization and limits depend on that, and
// supports no format but JSON. Transform turns every error, of huma or of an operation, into a
// Status.
type typed struct {
	huma.API
	server *Server
}

func newTyped(api huma.API, s *Server) *typed {
	// Register describes huma's own error type, which is never sent.
	api.OpenAPI().Components.Schemas.RegisterTypeAlias(reflect.TypeFor[huma.ErrorModel](), reflect.TypeFor[metav1.Status]())
	return &typed{api, s}
}

// failure carries an error of an operation through huma to Transform.
type failure struct{ error }

// GetStatus implements huma.StatusError. Transform determines the code that is sent.
func (*failure) GetStatus() int { return http.StatusInternalServerError }

// Unwrap lets huma find headers (huma.ErrorWithHeaders).
func (f *failure) Unwrap() error { return f.error }

// DocumentOperation describes an operation.
func (a *typed) DocumentOperation(op *huma.Operation) {
	op.Tags, op.SkipValidateBody = []string{"rowlock"}, true // operations validate their bodies themselves
	op.Responses["default"] = &huma.Response{Ref: "#/components/responses/Status"}
	for _, p := range op.Parameters {
		p.Schema.Description = "" // the parameter has it already
		if p.Schema.Type != huma.TypeArray {
			p.Explode = nil
		}
	}
	a.OpenAPI().AddOperation(op)
}

// Middlewares implements huma.API.
func (a *typed) Middlewares() huma.Middlewares { return huma.Middlewares{a.begin} }

// begin passes a request to huma, with its body if it is JSON.
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

// Negotiate implements huma.API. Answers are JSON, whatever the client accepts.
func (*typed) Negotiate(string) (string, error) { return "application/json", nil }

// Unmarshal decodes a body and rejects unknown fields.
func (*typed) Unmarshal(_ string, body []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("cannot decode the body: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("the body has data after the JSON value")
	}
	return nil
}

// Transform implements huma.API. It turns errors into a Status.
func (a *typed) Transform(c huma.Context, _ string, v any) (any, error) {
	switch e := c.(*exchange); v := v.(type) {
	case *huma.ErrorModel:
		e.failed = a.server.Status(refusal(e, v.Errors))
	case *failure:
		e.failed = a.server.Status(v.error)
	}
	return v, nil
}

// Marshal sends an answer, indented for people. SetStatus has already sent an error.
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
		panic(err) // cannot happen: these types always encode
	}
	_, _ = w.Write(append(doc, '\n')) // the client has disconnected
}

// inner renames huma.Context, so that it can be embedded beside its method Context.
type inner = huma.Context

// exchange is a request and its answer, as huma sees them.
type exchange struct {
	inner
	server *Server
	req    *http.Request
	w      http.ResponseWriter
	query  url.Values
	body   []byte
	failed *metav1.Status // the error to answer with
}

// serverOf returns the server for which huma reads an input.
func serverOf(c huma.Context) *Server { return c.(*exchange).server }

// Unwrap implements the interface that humachi.Unwrap expects.
func (e *exchange) Unwrap() huma.Context { return e.inner }

// Query returns a parameter as the rest of the server reads it; huma parses ?a, ?a;b and ?a=%zz
// differently.
func (e *exchange) Query(name string) string { return e.query.Get(name) }

// Param returns a path parameter as the client sent it.
func (e *exchange) Param(name string) string { return e.req.PathValue(name) }

// BodyReader returns the body that begin has read.
func (e *exchange) BodyReader() io.Reader { return bytes.NewReader(e.body) }

// SetReadDeadline does nothing: the body has been read, and huma's deadline would cut off long
// answers.
func (*exchange) SetReadDeadline(time.Time) error { return nil }

// SetStatus starts the answer, or sends all of it if it is an error.
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

// readBody reads a JSON body. It rejects a body with another content type, because browsers declare
// those of HTML forms on other origins. Like upstream, it treats a body without a content type as
// JSON.
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
		return nil, apierrors.NewBadRequest("cannot read the body: " + err.Error())
	case len(body) == 0:
		return nil, apierrors.NewBadRequest("cannot decode the body: EOF")
	}
	return body, nil
}

// notJSON rejects a body with another content type.
func notJSON(media string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType, Reason: metav1.StatusReasonUnsupportedMediaType,
		Message: fmt.Sprintf("the Content-Type %q is not supported: send application/json", media),
	}}
}
