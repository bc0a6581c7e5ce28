package control

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
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
	"github.com/rowlock/rowlock/internal/store/loader"
)

// MaxUploadBytes is the maximum size of an uploaded snapshot file.
const MaxUploadBytes = archive.MaxBytes

// IsUpload reports whether a request uploads a snapshot file, which may be larger than other bodies
// and take longer.
func IsUpload(req *http.Request) bool {
	return req.Method == http.MethodPut && strings.HasPrefix(req.URL.Path, v1.SnapshotsPath+"/") && strings.HasSuffix(req.URL.Path, v1.FileSuffix)
}

type saveSnapshot struct{ Body v1.SnapshotRequest }

type sendFile struct {
	Named
	Passing string `query:"passing"` // anything but true is false
	file    io.Reader
}

// Resolve implements huma.Resolver. It streams the file; huma would read all of it first.
func (in *sendFile) Resolve(c huma.Context) []error {
	req, _ := humachi.Unwrap(c)
	in.file = req.Body
	return nil
}

type loadSnapshot struct {
	Named
	Body v1.LoadRequest
}

func (s *Server) snapshotOperations(a *typed) {
	const one = v1.SnapshotsPath + "/{name}"
	passing := &huma.Param{
		Name: "passing", In: "query", Schema: &huma.Schema{Type: huma.TypeBoolean},
		Description: "Do not list it, and delete it when it has not been used for an hour.",
	}
	register(a, huma.Operation{
		Method: http.MethodGet, Path: v1.SnapshotsPath, OperationID: "listRowlockV1Snapshots", Summary: "List snapshots",
	}, s.listSnapshots)
	register(a, huma.Operation{
		Method: http.MethodPost, Path: v1.SnapshotsPath, OperationID: "saveRowlockV1Snapshot", Summary: "Save the cluster's state or a range of its log",
		Description: "The snapshot is consistent: it has the state at one revision. The cluster keeps running meanwhile.",
	}, s.saveSnapshot)
	register(a, huma.Operation{
		Method: http.MethodGet, Path: one, OperationID: "readRowlockV1Snapshot", Summary: "Get a snapshot's description",
	}, func(ctx context.Context, in *Named) (v1.Snapshot, error) { return s.snapshot(ctx, in.Name) })
	register(a, huma.Operation{
		Method: http.MethodDelete, Path: one, OperationID: "deleteRowlockV1Snapshot", Summary: "Delete a snapshot",
	}, s.deleteSnapshot)
	registerWriter(a, huma.Operation{
		Method: http.MethodGet, Path: one + v1.FileSuffix, OperationID: "readRowlockV1SnapshotFile", Summary: "Download a snapshot",
		Description: "The file consists of lines of JSON, compressed with gzip.",
	}, fileContent(), s.readSnapshotFile)
	register(a, huma.Operation{
		Method: http.MethodPut, Path: one + v1.FileSuffix, OperationID: "sendRowlockV1SnapshotFile", Summary: "Upload a snapshot",
		Description: "A damaged file, or one whose state cannot be loaded, is rejected.",
		Parameters:  []*huma.Param{passing}, RequestBody: &huma.RequestBody{Required: true, Content: fileContent()},
	}, s.sendSnapshotFile)
	register(a, huma.Operation{
		Method: http.MethodPost, Path: one + v1.LoadSuffix, OperationID: "loadRowlockV1Snapshot", Summary: "Load a snapshot into the cluster",
		Description: "Objects keep their names, UIDs and resourceVersions, " +
			"and the clock continues from the snapshot's time. Loading is atomic. Open watches end with 410.",
	}, s.loadSnapshot)
}

func show(k archive.Kept) v1.Snapshot {
	h := k.Header
	return v1.Snapshot{
		Name: k.Name, Saved: k.Saved, Contents: string(h.Contents), From: int64(h.From), Revision: int64(h.Revision), Time: h.Time, Past: h.Past,
		Records: k.Records, Bytes: k.Bytes, Server: h.Server,
	}
}

func (s *Server) listSnapshots(ctx context.Context, _ *struct{}) (v1.SnapshotList, error) {
	all, err := s.Snapshots.List(ctx)
	if err != nil {
		return v1.SnapshotList{}, snapshotFailure(err, "")
	}
	list := v1.SnapshotList{Items: []v1.Snapshot{}}
	for _, k := range all {
		list.Items = append(list.Items, show(k))
	}
	return list, nil
}

func (s *Server) saveSnapshot(ctx context.Context, in *saveSnapshot) (v1.Snapshot, error) {
	r := &in.Body
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
		return v1.Snapshot{}, invalid(all...)
	}
	k, err := s.Snapshots.Save(ctx, r.Name, r.Passing, what)
	return show(k), snapshotFailure(err, r.Name)
}

// checkName validates the name of a snapshot or fork.
func checkName(name string) (all field.ErrorList) {
	for _, message := range validation.IsDNS1123Label(name) {
		all = append(all, field.Invalid(field.NewPath("name"), name, message))
	}
	return all
}

func (s *Server) snapshot(ctx context.Context, name string) (v1.Snapshot, error) {
	k, err := s.Snapshots.Find(ctx, name)
	return show(k), snapshotFailure(err, name)
}

// deleteSnapshot also removes one that is being saved, or that a process left when it died.
func (s *Server) deleteSnapshot(ctx context.Context, in *Named) (v1.Snapshot, error) {
	was, err := s.Snapshots.Find(ctx, in.Name)
	if errors.Is(err, archive.ErrNotFound) {
		was, err = archive.Kept{Name: in.Name}, nil
	}
	if err == nil {
		err = s.Snapshots.Remove(ctx, in.Name)
	}
	return show(was), snapshotFailure(err, in.Name)
}

func (s *Server) readSnapshotFile(ctx context.Context, in *Named) (writer, error) {
	k, err := s.Snapshots.Find(ctx, in.Name)
	if err != nil {
		return nil, snapshotFailure(err, in.Name)
	}
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/gzip")
		w.Header().Set("Content-Disposition", `attachment; filename="`+in.Name+`.snapshot"`)
		if _, err := io.Copy(w, s.Snapshots.Open(ctx, k)); err != nil {
			panic(http.ErrAbortHandler) // so that the client does not take a partial file for the whole
		}
	}, nil
}

func (s *Server) sendSnapshotFile(ctx context.Context, in *sendFile) (v1.Snapshot, error) {
	if all := checkName(in.Name); len(all) > 0 {
		return v1.Snapshot{}, invalid(all...)
	}
	k, err := s.Snapshots.Receive(ctx, in.Name, in.Passing == "true", in.file)
	if err != nil {
		err = huma.ErrorWithHeaders(snapshotFailure(err, in.Name), http.Header{"Connection": {"close"}}) // do not wait for the rest of the file
	}
	return show(k), err
}

func (s *Server) loadSnapshot(ctx context.Context, in *loadSnapshot) (v1.Snapshot, error) {
	after, err := clockAfter(in.Body.Clock)
	if err != nil {
		return v1.Snapshot{}, err
	}
	k, err := s.snapshot(ctx, in.Name)
	if err == nil {
		_, err = s.Snapshots.Load(ctx, in.Name, loader.Options{Replace: in.Body.Replace, Clock: after})
	}
	return k, snapshotFailure(err, in.Name)
}

// clockAfter parses what happens to the clock after loading a snapshot.
func clockAfter(text string) (loader.ClockAfter, error) {
	switch after := loader.ClockAfter(text); after {
	case loader.ClockAsSaved, loader.ClockPaused, loader.ClockRunning:
		return after, nil
	}
	return "", invalid(field.NotSupported(field.NewPath("clock"), text, []loader.ClockAfter{loader.ClockPaused, loader.ClockRunning}))
}

// snapshotFailure converts an error about a snapshot to one with a Status.
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
	case errors.Is(err, loader.ErrNotEmpty), errors.Is(err, loader.ErrBusy):
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
