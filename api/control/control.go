package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/archive"
	"github.com/rowlock/rowlock/internal/chronicle"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/injector"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/preview"
)

// Deps is what the operations need from the rest of the program. All fields are required to serve, and none to describe.
type Deps struct {
	Clock     *clock.Clock
	Stalled   func() []v1.StalledController // the controllers that do not get on; nil where there are none
	Faults    *injector.Injector
	Reader    kube.Reader
	Writer    kube.Writer
	NewUID    func() types.UID
	Catalogue *kind.Catalogue
	Status    func(error) *metav1.Status // api/status.go
	Snapshots *archive.Archive
	Chronicle *chronicle.Chronicle
	Forks     Forks // nil in a fork, which has none
	Previews  *preview.Source
	Traffic   TrafficSource
	// Authorizer says who may read what, as previews and the log tell of objects; nil allows all. Requests as such are judged before.
	Authorizer auth.Authorizer
	// Heartbeat is how long a stream of changes or of the clock may be silent, in real time, before an empty line is sent; a minute if 0.
	Heartbeat time.Duration
}

// Server serves the operations.
type Server struct{ Deps }

// New makes a Server.
func New(d Deps) *Server {
	if d.Authorizer == nil {
		d.Authorizer = auth.AllowAll
	}
	if d.Heartbeat == 0 {
		d.Heartbeat = heartbeat
	}
	return &Server{d}
}

// Register mounts the operations on the API, and describes them.
func (s *Server) Register(api huma.API) {
	for _, o := range slices.Concat(s.operations(), s.snapshotOperations(), s.forkOperations(), s.faultOperations(), s.metricOperations(), s.previewOperations(), s.logOperations(), []operation{s.scheduleOperation(), s.trafficOperation()}) {
		op := &huma.Operation{
			Method: o.method, Path: o.path, OperationID: o.id, Summary: o.summary, Description: o.description, Tags: []string{"rowlock"},
			Parameters: o.query,
			Responses: map[string]*huma.Response{
				"200":     {Description: "OK", Content: contentOf(api, o.answer)},
				"default": {Ref: "#/components/responses/Status"},
			},
		}
		if o.body != nil {
			op.RequestBody = &huma.RequestBody{Required: true, Content: contentOf(api, o.body)}
		}
		api.OpenAPI().AddOperation(op)
		api.Adapter().Handle(op, func(c huma.Context) {
			req, w := humachi.Unwrap(c)
			answer, err := o.serve(w, req)
			if err != nil {
				kube.WriteStatus(w, req, s.Status(err))
				return
			}
			if o.answer != file && answer != nil {
				writeJSON(w, answer)
			}
		})
	}
}

// operation is one of the operations.
type operation struct {
	method, path, id, summary, description string
	query                                  []*huma.Param
	body, answer                           any // values of their types; a nil body is none
	// serve answers nothing where it has written the answer itself.
	serve func(http.ResponseWriter, *http.Request) (any, error)
}

// fileType stands for a body or an answer that is a snapshot's file; who serves such an answer writes it.
type fileType struct{}

var file any = fileType{}

func contentOf(api huma.API, v any) map[string]*huma.MediaType {
	if v == file {
		return map[string]*huma.MediaType{"application/gzip": {Schema: &huma.Schema{Type: "string", Format: "binary"}}}
	}
	return map[string]*huma.MediaType{"application/json": {Schema: api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(v), true, "")}}
}

// writeJSON sends an answer, indented for people to read.
func writeJSON(w http.ResponseWriter, v any) {
	doc, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // the types of answers encode
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	_, _ = w.Write(append(doc, '\n')) // the client is gone; nobody is left to be told
}

// maxBodyBytes is far more than any body here needs.
const maxBodyBytes = 64 << 10

// readJSON reads the body into v, and refuses what v has no field for. A body that is declared as anything but JSON is refused:
// browsers declare what forms of other origins send. One that is not declared is taken for JSON, as upstream does.
func readJSON(w http.ResponseWriter, req *http.Request, v any) error {
	if declared := req.Header.Get("Content-Type"); declared != "" {
		if media, _, err := mime.ParseMediaType(declared); err != nil || media != "application/json" {
			return notJSON(declared)
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBodyBytes))
	if errors.As(err, new(*http.MaxBytesError)) {
		return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBodyBytes))
	}
	if err != nil {
		return apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return apierrors.NewBadRequest("the body is not what is expected: " + err.Error())
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return apierrors.NewBadRequest("the body goes on after its end")
	}
	return nil
}

// notJSON refuses a body that is declared as something else.
func notJSON(media string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType, Reason: metav1.StatusReasonUnsupportedMediaType,
		Message: fmt.Sprintf("the Content-Type %q is not supported: send application/json", media),
	}}
}

// maxWait is how long a request may ask to be kept waiting.
const maxWait = time.Minute

// waitOf is how long a request asks to be kept waiting, in real time.
func waitOf(req *http.Request) (time.Duration, error) {
	text := req.URL.Query().Get("wait")
	if text == "" {
		return 0, nil
	}
	d, err := clock.ParseDuration(text)
	if err != nil || d < 0 || d > maxWait {
		return 0, invalid(field.Invalid(field.NewPath("wait"), text, "must be a span of time from 0s to "+clock.FormatDuration(maxWait)))
	}
	return d, nil
}

// countOf is a number that a request gives in its query.
func countOf(req *http.Request, name string, unset, most int) (int, error) {
	text := req.URL.Query().Get(name)
	if text == "" {
		return unset, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, invalid(field.Invalid(field.NewPath(name), text, fmt.Sprintf("must be a number from 0 to %d", most)))
	}
	return n, nil
}

// invalid refuses a request for what it asks, as Kubernetes refuses an object.
func invalid(all ...*field.Error) *apierrors.StatusError {
	status := metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid, Details: &metav1.StatusDetails{},
	}
	for i, e := range all {
		if i > 0 {
			status.Message += ", "
		}
		status.Message += e.Error()
		status.Details.Causes = append(status.Details.Causes, metav1.StatusCause{
			Type: metav1.CauseType(e.Type), Message: e.ErrorBody(), Field: e.Field,
		})
	}
	return &apierrors.StatusError{ErrStatus: status}
}
