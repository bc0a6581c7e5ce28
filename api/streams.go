package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/v1"
)

const (
	mostStreams     = 64
	maxStreamsBytes = 256 << 10
	// slowStreams is how long a client may take to accept a write.
	slowStreams = time.Minute
	// maxRefusalBytes limits how much of an error answer is kept.
	maxRefusalBytes = 64 << 10
)

// streams serves several watches as one answer. Each is authorized, counted and served as a
// separate request of the same user.
type streams struct {
	next http.Handler // the whole API, behind authentication
}

// register mounts the operation; next may be set later.
func (s *streams) register(api huma.API) {
	schema := func(v any) map[string]*huma.MediaType {
		return map[string]*huma.MediaType{"application/json": {Schema: api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(v), true, "")}}
	}
	op := &huma.Operation{
		Method: http.MethodPost, Path: v1.StreamsPath, OperationID: "openRowlockV1Streams",
		Summary: "Open several watches over one connection", Tags: []string{"rowlock"},
		Description: "Each watch is served as if it had been requested separately. " +
			"The response is a stream of JSON lines, each with the ID of its watch; it ends when all watches have ended. " +
			"Browsers limit the number of connections to a server, and this operation uses only one.",
		Parameters: []*huma.Param{{
			Name: "watch", In: "query", Required: true, Schema: &huma.Schema{Type: "boolean"},
			Description: "Must be true, as for every long-running request.",
		}},
		RequestBody: &huma.RequestBody{Required: true, Content: schema(v1.StreamsRequest{})},
		Responses: map[string]*huma.Response{
			"200":     {Description: "OK", Content: schema(v1.StreamLine{})},
			"default": {Ref: "#/components/responses/Status"},
		},
	}
	api.OpenAPI().AddOperation(op)
	api.Adapter().Handle(op, func(c huma.Context) {
		req, w := humachi.Unwrap(c)
		asked, err := s.asked(req)
		if err != nil {
			writeError(w, req, err)
			return
		}
		s.serve(w, req, asked)
	})
}

// asked returns the requests in a body, as if they had been sent separately.
func (s *streams) asked(req *http.Request) (map[int]*http.Request, error) {
	if !auth.Watches(req.URL.Query()) {
		return nil, apierrors.NewBadRequest("watch=true is required, as for every long-running request")
	}
	var r v1.StreamsRequest
	d := json.NewDecoder(io.LimitReader(req.Body, maxStreamsBytes))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, apierrors.NewBadRequest("cannot decode the body: " + err.Error())
	}
	if len(r.Streams) == 0 || len(r.Streams) > mostStreams {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("must have 1 to %d streams", mostStreams))
	}
	all := make(map[int]*http.Request, len(r.Streams))
	for _, one := range r.Streams {
		if all[one.ID] != nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("two streams have the ID %d", one.ID))
		}
		alone, err := requestFor(one, req)
		if err != nil {
			return nil, err
		}
		all[one.ID] = alone
	}
	return all, nil
}

// requestFor returns the request of one stream.
func requestFor(r v1.StreamRequest, of *http.Request) (*http.Request, error) {
	to, err := url.ParseRequestURI(r.Path)
	if err != nil || !strings.HasPrefix(r.Path, "/") || to.Host != "" {
		return nil, refusalOf(r)
	}
	req := of.Clone(of.Context())
	req.Method, req.URL, req.RequestURI, req.Body, req.ContentLength = http.MethodGet, to, r.Path, http.NoBody, 0
	if !auth.Watches(to.Query()) && !runsLong(req) {
		return nil, refusalOf(r)
	}
	req.Header.Del("Content-Type")
	req.Header.Del("Content-Length")
	req.Header.Set("Accept", "application/json")
	if r.Accept != "" {
		req.Header.Set("Accept", r.Accept)
	}
	return req, nil
}

func refusalOf(r v1.StreamRequest) error {
	return apierrors.NewBadRequest(fmt.Sprintf("stream %d: the path must be that of a watch, with watch=true, or of a log, with follow=true", r.ID))
}

// serve serves the streams until all have ended or the client disconnects.
func (s *streams) serve(w http.ResponseWriter, req *http.Request, asked map[int]*http.Request) {
	ctx, cancel := context.WithCancel(context.WithValue(req.Context(), chi.RouteCtxKey, nil)) // the router starts again for each stream
	defer cancel()
	out := &streamsWriter{w: w, ctl: http.NewResponseController(w), gone: cancel}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(http.StatusOK)
	if out.send(nil, true) != nil {
		return
	}
	var all sync.WaitGroup
	for id, alone := range asked {
		all.Go(func() {
			one := &streamWriter{id: id, to: out, header: http.Header{}}
			defer one.end()
			defer func() {
				// The middleware has recovered and logged every panic except http.ErrAbortHandler,
				// with which a fault cuts the stream off. Outside this goroutine it would end the
				// process.
				_ = recover()
			}()
			s.next.ServeHTTP(one, alone.WithContext(ctx))
		})
	}
	all.Wait()
}

// streamsWriter is the answer that all streams write to.
type streamsWriter struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	ctl  *http.ResponseController
	gone func()
}

// errStreamsGone reports that the client does not accept data.
var errStreamsGone = errors.New("the client of the streams has disconnected")

// send sends whole lines. It cuts off a client that does not accept them in time, with all its
// streams.
func (o *streamsWriter) send(lines []byte, flush bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.ctl.SetWriteDeadline(time.Now().Add(slowStreams)) // a writer without deadlines, as in tests, does not block
	_, err := o.w.Write(lines)
	if err == nil && flush {
		err = o.ctl.Flush()
	}
	if err != nil {
		o.gone()
		return fmt.Errorf("%w: %w", errStreamsGone, err)
	}
	_ = o.ctl.SetWriteDeadline(time.Time{}) // HTTP/2 would end an idle stream at the deadline
	return nil
}

// streamWriter is the answer of one stream, as its handler sees it. It sends each line with the
// stream's ID, and an error as a whole.
type streamWriter struct {
	id     int
	to     *streamsWriter
	header http.Header
	code   int
	rest   []byte // the beginning of an incomplete line, or of an error
}

// Header implements http.ResponseWriter.
func (s *streamWriter) Header() http.Header { return s.header }

// WriteHeader implements http.ResponseWriter.
func (s *streamWriter) WriteHeader(code int) {
	if s.code != 0 {
		return
	}
	s.code = code
	if code == http.StatusOK {
		_ = s.to.send(streamLine(v1.StreamLine{ID: s.id, Begun: true}), true) // the next write reports the error
	}
}

// Write implements http.ResponseWriter.
func (s *streamWriter) Write(b []byte) (int, error) {
	s.WriteHeader(http.StatusOK)
	if s.code != http.StatusOK {
		s.rest = append(s.rest, b[:min(len(b), maxRefusalBytes-len(s.rest))]...)
		return len(b), nil
	}
	s.rest = append(s.rest, b...)
	end := bytes.LastIndexByte(s.rest, '\n')
	if end < 0 {
		return len(b), nil
	}
	var lines []byte
	for line := range bytes.Lines(s.rest[:end+1]) {
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 {
			lines = append(fmt.Appendf(lines, `{"id":%d,"line":`, s.id), s.value(line)...)
			lines = append(lines, "}\n"...)
		}
	}
	s.rest = append(s.rest[:0], s.rest[end+1:]...)
	return len(b), s.to.send(lines, false)
}

// value returns a line as JSON; a line of a log becomes a string.
func (s *streamWriter) value(line []byte) []byte {
	if !strings.HasPrefix(s.header.Get("Content-Type"), "text/plain") {
		return line
	}
	return bytes.TrimSpace(streamLine(string(line)))
}

// FlushError sends what has been written.
func (s *streamWriter) FlushError() error { return s.to.send(nil, true) }

// SetWriteDeadline does nothing: the answer has its own deadlines.
func (s *streamWriter) SetWriteDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing: there is no body.
func (s *streamWriter) SetReadDeadline(time.Time) error { return nil }

// end sends the stream's end, with its error if it failed.
func (s *streamWriter) end() {
	last := v1.StreamLine{ID: s.id, Ended: true}
	if s.code != 0 && s.code != http.StatusOK {
		last.Error = s.rest
		if !json.Valid(last.Error) {
			last.Error = streamLine(Status(errNotFound))
		}
	}
	_ = s.to.send(streamLine(last), true) // best effort: the client may have disconnected
}

func streamLine(v any) []byte {
	doc, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: these types always encode
	}
	return append(doc, '\n')
}
