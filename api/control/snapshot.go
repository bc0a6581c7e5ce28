package control

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/archive"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store"
)

// MaxUploadBytes is how large the file of a snapshot may be.
const MaxUploadBytes = archive.MaxBytes

// IsUpload says whether a request sends the file of a snapshot, which may be larger than other bodies and take longer.
func IsUpload(req *http.Request) bool {
	return req.Method == http.MethodPut && strings.HasPrefix(req.URL.Path, v1.SnapshotsPath+"/") && strings.HasSuffix(req.URL.Path, v1.FileSuffix)
}

func (s *Server) snapshotOperations() []operation {
	one := v1.SnapshotsPath + "/{name}"
	name := func() []*huma.Param {
		return []*huma.Param{{Name: "name", In: "path", Required: true, Schema: &huma.Schema{Type: "string"}}}
	}
	passing := &huma.Param{
		Name: "passing", In: "query", Schema: &huma.Schema{Type: "boolean"},
		Description: "It is only to be loaded: it is not listed, and goes when it has not been used for an hour.",
	}
	return []operation{
		{
			method: http.MethodGet, path: v1.SnapshotsPath, id: "listRowlockV1Snapshots", summary: "list the snapshots", answer: v1.SnapshotList{},
			serve: s.listSnapshots,
		},
		{
			method: http.MethodPost, path: v1.SnapshotsPath, id: "saveRowlockV1Snapshot", summary: "save the cluster's state, or a range of its log",
			description: "The cluster goes on meanwhile; the snapshot is of one revision.",
			body:        v1.SnapshotRequest{}, answer: v1.Snapshot{}, serve: s.saveSnapshot,
		},
		{
			method: http.MethodGet, path: one, id: "readRowlockV1Snapshot", summary: "read what a snapshot is", query: name(), answer: v1.Snapshot{},
			serve: func(_ http.ResponseWriter, req *http.Request) (any, error) { return s.snapshot(req) },
		},
		{
			method: http.MethodDelete, path: one, id: "deleteRowlockV1Snapshot", summary: "remove a snapshot", query: name(), answer: v1.Snapshot{},
			serve: s.deleteSnapshot,
		},
		{
			method: http.MethodGet, path: one + v1.FileSuffix, id: "readRowlockV1SnapshotFile", summary: "read a snapshot's file",
			description: "Lines of JSON, compressed with gzip.",
			query:       name(), answer: file, serve: s.readSnapshotFile,
		},
		{
			method: http.MethodPut, path: one + v1.FileSuffix, id: "sendRowlockV1SnapshotFile", summary: "keep a file as a snapshot",
			description: "A file that is damaged, or of a state that cannot be loaded, is refused.",
			query:       append(name(), passing), body: file, answer: v1.Snapshot{}, serve: s.sendSnapshotFile,
		},
		{
			method: http.MethodPost, path: one + v1.LoadSuffix, id: "loadRowlockV1Snapshot", summary: "make a snapshot's state the cluster's",
			description: "Objects keep their names, uids and resourceVersions, and the clock goes on from the snapshot's time. All of it happens at one moment, or nothing. Watches end with 410.",
			query:       name(), body: v1.LoadRequest{}, answer: v1.Snapshot{}, serve: s.loadSnapshot,
		},
	}
}

func show(k archive.Kept) v1.Snapshot {
	h := k.Header
	return v1.Snapshot{
		Name: k.Name, Saved: k.Saved, Contents: string(h.Contents), From: int64(h.From), Revision: int64(h.Revision), Time: h.Time, Past: h.Past,
		Records: k.Records, Bytes: k.Bytes, Server: h.Server,
	}
}

func (s *Server) listSnapshots(_ http.ResponseWriter, req *http.Request) (any, error) {
	all, err := s.Snapshots.List(req.Context())
	if err != nil {
		return nil, snapshotFailure(err, "")
	}
	list := v1.SnapshotList{Items: []v1.Snapshot{}}
	for _, k := range all {
		list.Items = append(list.Items, show(k))
	}
	return list, nil
}

func (s *Server) saveSnapshot(w http.ResponseWriter, req *http.Request) (any, error) {
	var r v1.SnapshotRequest
	if err := readJSON(w, req, &r); err != nil {
		return nil, err
	}
	all := checkName(r.Name)
	what := archive.Range{To: object.Revision(r.Revision)}
	if r.Revision < 0 {
		all = append(all, field.Invalid(field.NewPath("revision"), r.Revision, "must not be negative"))
	}
	if l := r.Log; l != nil {
		what = archive.Range{Log: true, From: object.Revision(l.From), To: object.Revision(l.To)}
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

func (s *Server) snapshot(req *http.Request) (v1.Snapshot, error) {
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
	var r v1.LoadRequest
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
