package control

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/archive"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store"
)

// SnapshotsPath is where the snapshots are served; each has a path of its own behind it, and its file and its loading behind that.
const (
	SnapshotsPath = "/rowlock/v1/snapshots"
	FileSuffix    = "/file"
	LoadSuffix    = "/load"
)

// MaxUploadBytes is how large the file of a snapshot may be.
const MaxUploadBytes = archive.MaxBytes

// IsUpload says whether a request sends the file of a snapshot, which may be larger than other bodies and take longer.
func IsUpload(req *http.Request) bool {
	return req.Method == http.MethodPut && strings.HasPrefix(req.URL.Path, SnapshotsPath+"/") && strings.HasSuffix(req.URL.Path, FileSuffix)
}

// Snapshot is a snapshot that is kept.
type Snapshot struct {
	Name     string          `json:"name"`
	Saved    time.Time       `json:"saved" doc:"When it was saved or sent, in real time."`
	Contents string          `json:"contents" enum:"state,log" doc:"state: all there was at one revision, which can be loaded. log: the changes after one revision up to another."`
	From     object.Revision `json:"from,omitempty" doc:"The revision after which a log begins."`
	Revision object.Revision `json:"revision" doc:"The revision of a state, or the last of a log."`
	Time     time.Time       `json:"time" doc:"What the cluster's clock showed."`
	Past     bool            `json:"past,omitempty" doc:"Whether the revision had passed when it was saved. What controllers remembered then is not known: when it is loaded they look at everything, and programs begin again where their containers did."`
	Records  int64           `json:"records" doc:"How many objects or changes it holds, and what stands beside objects."`
	Bytes    int64           `json:"bytes" doc:"How large the file is."`
	Server   string          `json:"server" doc:"The version of the server that wrote it."`
}

// OpenAPIModelName names the schema.
func (Snapshot) OpenAPIModelName() string { return "rowlock.v1.Snapshot" }

// SnapshotList is all snapshots that are kept, by name.
type SnapshotList struct {
	Items []Snapshot `json:"items"`
}

// OpenAPIModelName names the schema.
func (SnapshotList) OpenAPIModelName() string { return "rowlock.v1.SnapshotList" }

// SnapshotRequest says what to save.
type SnapshotRequest struct {
	Name     string          `json:"name" doc:"A name of lower-case letters, digits and hyphens."`
	Revision object.Revision `json:"revision,omitempty" doc:"The revision whose state is saved; 0 is the newest. Others can be as long as the log has them."`
	Log      *LogRange       `json:"log,omitempty" doc:"Save a range of the log instead of a state."`
	Passing  bool            `json:"passing,omitempty" doc:"It is only to be read: it is not listed, and goes when it has not been used for an hour."`
}

// OpenAPIModelName names the schema.
func (SnapshotRequest) OpenAPIModelName() string { return "rowlock.v1.SnapshotRequest" }

// LogRange is a range of the log.
type LogRange struct {
	From object.Revision `json:"from" doc:"The revision after which it begins."`
	To   object.Revision `json:"to,omitempty" doc:"Its last revision; 0 is the newest."`
}

// OpenAPIModelName names the schema.
func (LogRange) OpenAPIModelName() string { return "rowlock.v1.LogRange" }

// LoadRequest says how to load a state.
type LoadRequest struct {
	Replace bool   `json:"replace,omitempty" doc:"Remove what the cluster has of its own. Without, such a cluster is left as it is (409)."`
	Clock   string `json:"clock,omitempty" enum:"paused,running" doc:"Whether the clock runs from then on; as it was saved if it is not said."`
}

// OpenAPIModelName names the schema.
func (LoadRequest) OpenAPIModelName() string { return "rowlock.v1.LoadRequest" }

func (s *Server) snapshotOperations() []operation {
	one := SnapshotsPath + "/{name}"
	name := func() []*huma.Param {
		return []*huma.Param{{Name: "name", In: "path", Required: true, Schema: &huma.Schema{Type: "string"}}}
	}
	passing := &huma.Param{
		Name: "passing", In: "query", Schema: &huma.Schema{Type: "boolean"},
		Description: "It is only to be loaded: it is not listed, and goes when it has not been used for an hour.",
	}
	return []operation{
		{
			method: http.MethodGet, path: SnapshotsPath, id: "listRowlockV1Snapshots", summary: "list the snapshots", answer: SnapshotList{},
			serve: s.listSnapshots,
		},
		{
			method: http.MethodPost, path: SnapshotsPath, id: "saveRowlockV1Snapshot", summary: "save the cluster's state, or a range of its log",
			description: "The cluster goes on meanwhile; the snapshot is of one revision.",
			body:        SnapshotRequest{}, answer: Snapshot{}, serve: s.saveSnapshot,
		},
		{
			method: http.MethodGet, path: one, id: "readRowlockV1Snapshot", summary: "read what a snapshot is", query: name(), answer: Snapshot{},
			serve: func(_ http.ResponseWriter, req *http.Request) (any, error) { return s.snapshot(req) },
		},
		{
			method: http.MethodDelete, path: one, id: "deleteRowlockV1Snapshot", summary: "remove a snapshot", query: name(), answer: Snapshot{},
			serve: s.deleteSnapshot,
		},
		{
			method: http.MethodGet, path: one + FileSuffix, id: "readRowlockV1SnapshotFile", summary: "read a snapshot's file",
			description: "Lines of JSON, compressed with gzip.",
			query:       name(), answer: file, serve: s.readSnapshotFile,
		},
		{
			method: http.MethodPut, path: one + FileSuffix, id: "sendRowlockV1SnapshotFile", summary: "keep a file as a snapshot",
			description: "A file that is damaged, or of a state that cannot be loaded, is refused.",
			query:       append(name(), passing), body: file, answer: Snapshot{}, serve: s.sendSnapshotFile,
		},
		{
			method: http.MethodPost, path: one + LoadSuffix, id: "loadRowlockV1Snapshot", summary: "make a snapshot's state the cluster's",
			description: "Objects keep their names, uids and resourceVersions, and the clock goes on from the snapshot's time. All of it happens at one moment, or nothing. Watches end with 410.",
			query:       name(), body: LoadRequest{}, answer: Snapshot{}, serve: s.loadSnapshot,
		},
	}
}

func show(k archive.Kept) Snapshot {
	h := k.Header
	return Snapshot{
		Name: k.Name, Saved: k.Saved, Contents: string(h.Contents), From: h.From, Revision: h.Revision, Time: h.Time, Past: h.Past,
		Records: k.Records, Bytes: k.Bytes, Server: h.Server,
	}
}

func (s *Server) listSnapshots(_ http.ResponseWriter, req *http.Request) (any, error) {
	all, err := s.Snapshots.List(req.Context())
	if err != nil {
		return nil, snapshotFailure(err, "")
	}
	list := SnapshotList{Items: []Snapshot{}}
	for _, k := range all {
		list.Items = append(list.Items, show(k))
	}
	return list, nil
}

func (s *Server) saveSnapshot(w http.ResponseWriter, req *http.Request) (any, error) {
	var r SnapshotRequest
	if err := readJSON(w, req, &r); err != nil {
		return nil, err
	}
	all := checkName(r.Name)
	what := archive.Range{To: r.Revision}
	if r.Revision < 0 {
		all = append(all, field.Invalid(field.NewPath("revision"), r.Revision, "must not be negative"))
	}
	if l := r.Log; l != nil {
		what = archive.Range{Log: true, From: l.From, To: l.To}
		at := field.NewPath("log")
		switch {
		case r.Revision != 0:
			all = append(all, field.Forbidden(at, "either revision or log can be given"))
		case l.From < 0:
			all = append(all, field.Invalid(at.Child("from"), l.From, "must not be negative"))
		case l.To != 0 && l.To < l.From:
			all = append(all, field.Invalid(at.Child("to"), l.To, "must not be less than from"))
		}
	}
	if len(all) > 0 {
		return nil, invalid(all...)
	}
	k, err := s.Snapshots.Save(req.Context(), r.Name, r.Passing, what)
	return show(k), snapshotFailure(err, r.Name)
}

// checkName judges the name of a snapshot or fork.
func checkName(name string) (all field.ErrorList) {
	for _, message := range validation.IsDNS1123Label(name) {
		all = append(all, field.Invalid(field.NewPath("name"), name, message))
	}
	return all
}

func (s *Server) snapshot(req *http.Request) (Snapshot, error) {
	name := chi.URLParam(req, "name")
	k, err := s.Snapshots.Find(req.Context(), name)
	return show(k), snapshotFailure(err, name)
}

func (s *Server) deleteSnapshot(_ http.ResponseWriter, req *http.Request) (any, error) {
	was, err := s.snapshot(req)
	if err != nil {
		return nil, err
	}
	return was, snapshotFailure(s.Snapshots.Remove(req.Context(), was.Name), was.Name)
}

func (s *Server) readSnapshotFile(w http.ResponseWriter, req *http.Request) (any, error) {
	name := chi.URLParam(req, "name")
	k, err := s.Snapshots.Find(req.Context(), name)
	if err != nil {
		return nil, snapshotFailure(err, name)
	}
	w.Header().Set("Content-Type", "application/gzip")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`.snapshot"`)
	if _, err := io.Copy(w, s.Snapshots.Open(req.Context(), k)); err != nil {
		panic(http.ErrAbortHandler) // the client is not to take what it has for the whole
	}
	return nil, nil //nolint:nilnil // the answer is written
}

func (s *Server) sendSnapshotFile(w http.ResponseWriter, req *http.Request) (any, error) {
	name := chi.URLParam(req, "name")
	if all := checkName(name); len(all) > 0 {
		return nil, invalid(all...)
	}
	passing := req.URL.Query().Get("passing") == "true"
	k, err := s.Snapshots.Receive(req.Context(), name, passing, req.Body)
	if err != nil {
		w.Header().Set("Connection", "close") // the rest of the file is not waited for
	}
	return show(k), snapshotFailure(err, name)
}

func (s *Server) loadSnapshot(w http.ResponseWriter, req *http.Request) (any, error) {
	name := chi.URLParam(req, "name")
	var r LoadRequest
	if err := readJSON(w, req, &r); err != nil {
		return nil, err
	}
	after, err := clockAfter(r.Clock)
	if err != nil {
		return nil, err
	}
	k, err := s.snapshot(req)
	if err == nil {
		_, err = s.Snapshots.Load(req.Context(), name, store.LoadOptions{Replace: r.Replace, Clock: after})
	}
	return k, snapshotFailure(err, name)
}

// clockAfter is what a request says of the clock.
func clockAfter(text string) (store.ClockAfter, error) {
	switch after := store.ClockAfter(text); after {
	case store.ClockAsSaved, store.ClockPaused, store.ClockRunning:
		return after, nil
	}
	return "", invalid(field.NotSupported(field.NewPath("clock"), text, []store.ClockAfter{store.ClockPaused, store.ClockRunning}))
}

// snapshotFailure makes an error about a snapshot one that says its own Status.
func snapshotFailure(err error, name string) error {
	status := func(code int32, reason metav1.StatusReason) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: code, Reason: reason, Message: err.Error(), Details: &metav1.StatusDetails{Kind: "snapshots", Name: name},
		}}
	}
	switch {
	case err == nil, errors.As(err, new(apierrors.APIStatus)):
		return err
	case errors.Is(err, archive.ErrNotFound):
		return status(http.StatusNotFound, metav1.StatusReasonNotFound)
	case errors.Is(err, archive.ErrExists):
		return status(http.StatusConflict, metav1.StatusReasonAlreadyExists)
	case errors.Is(err, archive.ErrTooMany):
		return status(http.StatusForbidden, metav1.StatusReasonForbidden)
	case errors.Is(err, archive.ErrTooLarge), errors.As(err, new(*http.MaxBytesError)):
		return status(http.StatusRequestEntityTooLarge, metav1.StatusReasonRequestEntityTooLarge)
	case errors.Is(err, store.ErrNotEmpty), errors.Is(err, store.ErrLoadBusy):
		return status(http.StatusConflict, metav1.StatusReasonConflict)
	case errors.Is(err, store.ErrCompacted):
		return status(http.StatusGone, metav1.StatusReasonExpired)
	case errors.Is(err, snapshot.ErrInvalid), errors.Is(err, store.ErrReserved), errors.Is(err, store.ErrFuture):
		return status(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid)
	case errors.Is(err, snapshot.ErrDamaged), errors.Is(err, snapshot.ErrFormat):
		return status(http.StatusBadRequest, metav1.StatusReasonBadRequest)
	case pg.IsRetryable(err):
		return apierrors.NewServiceUnavailable("the database cannot be reached")
	}
	return err
}
