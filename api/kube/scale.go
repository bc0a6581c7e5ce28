package kube

import (
	"encoding/json"
	"fmt"
	"net/http"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/object"
)

// getScale serves GET on /scale.
func (r *resource) getScale(w http.ResponseWriter, req *http.Request) error {
	rep, err := negotiate(req, nil)
	if err != nil {
		return err
	}
	v, err := r.read(req)
	if err != nil {
		return err
	}
	return writeValue(w, rep, http.StatusOK, r.scaleOf(v))
}

// scaleOf is the scale of a version.
func (r *resource) scaleOf(v *object.Version) *autoscalingv1.Scale {
	s := r.kind.Scale.Get(r.served(v))
	s.SetGroupVersionKind(scaleKind)
	s.ResourceVersion = v.Revision.ResourceVersion()
	return s
}

// liveScale is the scale of a version, with who owns its replicas.
func (r *resource) liveScale(v *object.Version) (*autoscalingv1.Scale, error) {
	s := r.scaleOf(v)
	var err error
	s.ManagedFields, err = fieldmanager.ScaleFields(&r.kind.Type, r.served(v).GetManagedFields())
	return s, err
}

// updateScale serves PUT on /scale.
func (r *resource) updateScale(w http.ResponseWriter, req *http.Request) error {
	sent := new(autoscalingv1.Scale)
	rep, opts, err := r.receive(w, req, expected{nil, updateOptions, scaleKind}, sent)
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
	rep, err := negotiate(req, nil)
	if err != nil {
		return err
	}
	p, err := readPatch(w, req)
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
		if err := p.apply(doc, patched, r.formats.json); err != nil {
			return nil, err
		}
		return r.ownScale(patched, live, wc)
	})
}

// ownScale records that what a scale changes of the live one is the client's.
func (r *resource) ownScale(scale, live *autoscalingv1.Scale, wc writeContext) (*autoscalingv1.Scale, error) {
	return scale, fieldmanager.Updated(fieldmanager.ScaleType, scale, live, r.scaledBy(wc.manager))
}

// scaledBy is the writer of a scale to the field manager.
func (r *resource) scaledBy(manager string) fieldmanager.Writer {
	return fieldmanager.Writer{Manager: manager, Subresource: "scale", At: r.Now()}
}

// commitScale stores the replicas of a scale and who owns them, which wanted computes from the live one, in the object, which must have the uid; ""
// is any.
//
// Source: kubernetes v1.36 pkg/registry/apps/deployment/storage/storage.go, scaleUpdatedObjectInfo
func (r *resource) commitScale(w http.ResponseWriter, req *http.Request, rep representation, wc writeContext, uid types.UID, wanted func(live *autoscalingv1.Scale) (*autoscalingv1.Scale, error)) error {
	c := &change{r: r, w: w, namespace: pathValue(req, "namespace"), name: pathValue(req, "name"), write: wc, owned: true, uid: uid}
	c.next = func(current *object.Version) (object.Object, error) {
		live, err := r.liveScale(current)
		if err != nil {
			return nil, err
		}
		scale, err := wanted(live)
		if err != nil {
			return nil, err
		}
		if err := c.checkScale(scale, current); err != nil {
			return nil, err
		}
		next := r.served(current).DeepCopyObject().(object.Object)
		if scale.ResourceVersion != "" {
			next.SetResourceVersion(scale.ResourceVersion)
		}
		r.kind.Scale.Set(next, scale.Spec.Replicas)
		entries, err := fieldmanager.ScaledFields(&r.kind.Type, next.GetManagedFields(), scale.ManagedFields)
		next.SetManagedFields(entries)
		return next, err
	}
	v, _, err := c.commit(req.Context())
	if err != nil {
		return err
	}
	return writeValue(w, rep, http.StatusOK, r.scaleOf(v))
}

// checkScale judges a scale that a client wants.
//
// Source: kubernetes v1.36 pkg/apis/autoscaling/validation/validation.go, ValidateScale
func (c *change) checkScale(scale *autoscalingv1.Scale, current *object.Version) error {
	if err := matchNamespace(scale, c.namespace); err != nil {
		return err
	}
	if err := matchName(scale, c.name); err != nil {
		return err
	}
	if scale.UID != "" && scale.UID != current.UID {
		resource := c.r.kind.GroupResource()
		resource.Resource += "/scale"
		return apierrors.NewConflict(resource, c.name,
			fmt.Errorf("Precondition failed: UID in precondition: %s, UID in object meta: %s", scale.UID, current.UID)) //nolint:staticcheck // upstream's words
	}
	errs := validateMeta(scale, true)
	if n := scale.Spec.Replicas; n < 0 {
		errs = append(errs, field.Invalid(field.NewPath("spec", "replicas"), n, "must be greater than or equal to 0"))
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(scaleKind.GroupKind(), scale.Name, errs)
	}
	return nil
}
