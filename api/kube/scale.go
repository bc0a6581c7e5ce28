package kube

import (
	"encoding/json"
	"net/http"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// getScale serves GET on /scale.
func (r *resource) getScale(w http.ResponseWriter, req *http.Request) error {
	rep, err := wire.Negotiate(req, nil)
	if err != nil {
		return err
	}
	v, err := r.read(req)
	if err != nil {
		return err
	}
	if c := r.Kind.Custom; c != nil {
		if err := c.CheckScale(r.Served(v)); err != nil {
			return apierrors.NewInternalError(err)
		}
	}
	return wire.WriteValue(w, rep, http.StatusOK, r.scaleOf(v))
}

// scaleOf returns the scale of a version.
func (r *resource) scaleOf(v *object.Version) *autoscalingv1.Scale {
	s := registry.ScaleOf(r.Kind, r.Served(v))
	s.ResourceVersion = v.Revision.ResourceVersion()
	return s
}

// updateScale serves PUT on /scale.
//
// Differs: for a scale of a custom resource that does not decode, upstream answers that v1.Scale is
// not registered, with a line of its source.
func (r *resource) updateScale(w http.ResponseWriter, req *http.Request) error {
	sent := new(autoscalingv1.Scale)
	rep, opts, err := r.receive(w, req, expected{nil, updateOptions, registry.ScaleKind}, sent)
	if err != nil {
		return err
	}
	wc := opts.write(req)
	return r.commitScale(w, req, rep, wc, sent.UID, func(live *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
		return r.ownScale(sent.DeepCopy(), live, wc)
	})
}

// patchScale serves PATCH on /scale.
func (r *resource) patchScale(w http.ResponseWriter, req *http.Request) error {
	rep, err := wire.Negotiate(req, nil)
	if err != nil {
		return err
	}
	p, err := r.readPatch(w, req)
	if err != nil {
		return err
	}
	wc := p.options.write(req)
	return r.commitScale(w, req, rep, wc, "", func(live *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
		if p.applies() {
			return r.appliedScale(p, live)
		}
		doc, err := json.Marshal(live)
		if err != nil {
			return nil, err
		}
		patched := new(autoscalingv1.Scale)
		if err := p.apply(doc, patched, r.formats.JSON); err != nil {
			return nil, err
		}
		return r.ownScale(patched, live, wc)
	})
}

// ownScale records the client as owner of the fields of the live scale that it changes.
func (r *resource) ownScale(scale, live *autoscalingv1.Scale, wc writeContext) (*autoscalingv1.Scale, error) {
	return scale, registry.OwnScale(scale, live, wc.manager, r.Now())
}

// commitScale stores the replicas of a scale and their owner, which wanted computes from the live
// scale, in the object. The object must have the UID; "" means any.
func (r *resource) commitScale(
	w http.ResponseWriter, req *http.Request, rep wire.Representation, wc writeContext, uid types.UID,
	wanted func(live *autoscalingv1.Scale) (*autoscalingv1.Scale, error),
) error {
	wc.owned, wc.settled = true, r.Kind.Custom != nil
	u := &update{r: r, namespace: wire.PathValue(req, "namespace"), name: wire.PathValue(req, "name"), write: wc, uid: uid}
	u.next = func(current *object.Version) (object.Object, error) {
		o := r.Served(current)
		live, err := registry.LiveScale(r.Kind, o)
		if err != nil {
			return nil, err
		}
		live.ResourceVersion = current.Revision.ResourceVersion()
		scale, err := wanted(live)
		if err != nil {
			return nil, err
		}
		return registry.Scale(r.Kind, scale, o)
	}
	done, err := u.commit(req.Context())
	wire.AddWarnings(w, done.warnings)
	if err != nil {
		return err
	}
	return wire.WriteValue(w, rep, http.StatusOK, r.scaleOf(done.version))
}
