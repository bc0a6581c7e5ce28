package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/store"
)

// delete serves DELETE on an object.
func (r *resource) delete(w http.ResponseWriter, req *http.Request) error {
	rep, err := wire.Negotiate(req, r.objects())
	if err != nil {
		return err
	}
	opts, err := r.deleteOptions(req)
	if err != nil {
		return err
	}
	namespace, name := wire.PathValue(req, "namespace"), wire.PathValue(req, "name")
	if err := registry.AdmitDelete(r.Kind, name); err != nil {
		return err
	}
	wire.AddWarning(w, registry.DeletionWarning(r.Kind, opts))
	v, outcome, err := r.commitDelete(req.Context(), removal{namespace: namespace, name: name, opts: opts, writer: WriterOf(req)})
	if err != nil {
		return err
	}
	code := http.StatusOK
	if orphan := opts.OrphanDependents; outcome == registry.DeletionStored && orphan != nil && !*orphan {
		code = http.StatusAccepted
	}
	if outcome != registry.DeletionDone || route.ReturnsDeleted[r.Stored.Resource()] {
		return r.WriteVersion(w, req, rep, code, v)
	}
	return wire.WriteValue(w, rep, code, r.deletedStatus(v))
}

// deletedStatus returns the Status for an object that is deleted or being deleted.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go, finalizeDelete, which
// puts the resource where the kind should be
func (r *resource) deletedStatus(v *object.Version) *metav1.Status {
	return &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusSuccess,
		Details:  &metav1.StatusDetails{Name: v.Name, Group: r.Kind.Group, Kind: r.Kind.Plural, UID: v.UID},
	}
}

// deleteOptions parses the options of a deletion, from the body or else from the query.
func (r *resource) deleteOptions(req *http.Request) (*metav1.DeleteOptions, error) {
	opts := new(metav1.DeleteOptions)
	body, err := wire.ReadBody(req)
	if err != nil {
		return nil, err
	}
	if len(body) == 0 {
		if err := wire.DecodeQuery(req, opts); err != nil {
			return nil, err
		}
	} else {
		f, err := r.formats.Of(req)
		if err != nil {
			return nil, err
		}
		obj, err := decodeOptions(f, body, opts)
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		if obj != opts {
			return nil, apierrors.NewBadRequest("decoded object cannot be converted to DeleteOptions")
		}
	}
	opts.IgnoreStoreReadErrorWithClusterBreakingPotential = nil // as if the feature AllowUnsafeMalformedObjectDeletion is off
	return opts, wire.InvalidOptions("DeleteOptions", registry.ValidateDeleteOptions(opts))
}

// decodeOptions decodes the body of a DELETE. Other kinds than DeleteOptions are errors.
func decodeOptions(f wire.Format, body []byte, into runtime.Object) (runtime.Object, error) {
	info, ok := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), f.Media)
	if !ok {
		return nil, fmt.Errorf("options are not read as %s", f.Media)
	}
	if f.Media == wire.MediaYAML {
		if err := wire.CheckAliases(body); err != nil {
			return nil, err
		}
	}
	if f.Media != wire.MediaProtobuf {
		if err := wire.CheckDepth(body, wire.MaxBodyDepth); err != nil {
			return nil, err
		}
	}
	want := metav1.SchemeGroupVersion.WithKind("DeleteOptions")
	obj, _, err := scheme.Codecs.DecoderToVersion(info.Serializer, want.GroupVersion()).Decode(body, &want, into)
	return obj, err
}

// removal is a request to delete an object.
type removal struct {
	namespace, name string
	opts            *metav1.DeleteOptions
	writer          string
	// mark returns the object with changes to store together with the deletion; nil for none.
	mark func(object.Object) object.Object
}

// commitDelete decides and stores a deletion, and tries again if the object has changed since the
// decision. It returns the version after the deletion, or the object's last one.
func (r *resource) commitDelete(ctx context.Context, d removal) (*object.Version, registry.Outcome, error) {
	var attempts attempts
	defer attempts.end()
	for {
		current, err := r.current(ctx, "delete", d.namespace, d.name)
		if err != nil {
			return nil, 0, err
		}
		if err := r.checkPreconditions(ctx, d.opts.Preconditions, current); err != nil {
			return nil, 0, err
		}
		v, outcome, err := r.attemptDelete(ctx, current, d)
		if err == nil {
			return v, outcome, nil
		}
		again, err := r.overtaken(ctx, &attempts, "delete", current, err)
		var failure *Failure
		switch {
		case again:
		case errors.As(err, &failure):
			return nil, 0, err
		default:
			return nil, 0, r.failure("delete", d.namespace, d.name, err)
		}
	}
}

// attemptDelete decides and stores a deletion of the current version.
func (r *resource) attemptDelete(ctx context.Context, current *object.Version, d removal) (*object.Version, registry.Outcome, error) {
	last := r.Object(current)
	if d.mark != nil {
		last = d.mark(last)
	}
	begun := registry.Delete(r.Stored, last, registry.NewDeleteRequest(d.opts), r.Now())
	if begun.Outcome == registry.DeletionPending {
		return current, begun.Outcome, nil
	}
	write := store.Change{Verb: begun.Verb(), Type: &r.Stored.Type, Old: current, New: begun.Object, Writer: d.writer}
	if len(d.opts.DryRun) > 0 {
		v, err := r.unstored(begun.Object, current.Revision)
		return v, begun.Outcome, err
	}
	if begun.Implied && d.mark == nil {
		write.New = nil
	}
	v, err := r.Writer.Write(ctx, write)
	return v, begun.Outcome, err
}

// checkPreconditions compares the preconditions of a deletion with the current version. Because
// that may be older than what the client has seen, a mismatch counts only after a consistent read.
func (r *resource) checkPreconditions(ctx context.Context, want *metav1.Preconditions, current *object.Version) error {
	if err := registry.CheckPreconditions(r.Kind, want, current); err == nil {
		return nil
	}
	if err := r.Reader.Fresh(ctx); err != nil {
		return r.failure("delete", current.Namespace, current.Name, err)
	}
	if v := r.Reader.Get(current.Key()); v != nil {
		return registry.CheckPreconditions(r.Kind, want, v)
	}
	return apierrors.NewNotFound(r.Kind.GroupResource(), current.Name)
}
