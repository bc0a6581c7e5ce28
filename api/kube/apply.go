package kube

import (
	"encoding/json"
	"fmt"
	"reflect"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/customresource"
	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// applies reports whether the patch is a server-side apply: its body is a configuration, the fields
// that one manager wants the object to have.
func (p *patch) applies() bool { return p.media == types.ApplyYAMLPatchType }

// applied merges the configuration into the current version, or into an empty object if there is
// none.
//
// A custom resource that the apply does not change gets no defaults, because the defaults of
// versions may differ.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go, applyPatcher
// and applyPatch; and .../apimachinery/pkg/util/managedfields/internal/fieldmanager.go, Apply; of a
// custom resource .../apiextensions-apiserver/pkg/apiserver/customresource_handler.go,
// schemaCoercingDecoder
func (u *update) applied(p *patch, current *object.Version) (object.Object, error) {
	var live object.Object
	if current != nil {
		if err := checkCrowd(current); err != nil {
			return nil, err
		}
		live = u.r.Served(current)
	}
	by := fieldmanager.Writer{Manager: u.write.manager, Subresource: u.r.subresourceName(u.sub), At: u.r.Now()}
	next, err := p.merge(&u.r.Kind.Type, live, by)
	if err != nil {
		return nil, err
	}
	if custom, ok := next.(*unstructured.Unstructured); ok {
		if err := customresource.CoerceMeta(custom); err != nil {
			return nil, registry.Untyped(err)
		}
	}
	u.write.settled = settled(next, live)
	if current == nil {
		if err := registry.CheckNewUID(u.r.Kind, u.name, next.GetUID()); err != nil {
			return nil, err
		}
	}
	return u.placed(next)
}

// checkCrowd rejects an apply to an object that is expensive to merge. It examines only huge
// objects.
func checkCrowd(current *object.Version) error {
	const most = wire.MaxAppliedEntries * len(`"":`) // the minimum bytes of so many entries
	body := current.Body()
	if len(body) <= most {
		return nil
	}
	var doc any
	if err := json.Unmarshal(body, &doc); err != nil {
		return err
	}
	if wire.Crowded(doc) {
		return errCrowded
	}
	return nil
}

var errCrowded = apierrors.NewRequestEntityTooLargeError(fmt.Sprintf(
	"no list and no map may have more than %d entries to be applied, and all together %d",
	wire.MaxAppliedEntries, wire.MaxAppliedTotal,
))

// appliedScale merges the configuration of a Scale into the current one.
func (r *resource) appliedScale(p *patch, live *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
	next, err := p.merge(fieldmanager.ScaleType, live, registry.ScaleWriter(p.options.fieldManager, r.Now()))
	if err != nil {
		return nil, err
	}
	scale, ok := next.(*autoscalingv1.Scale)
	if !ok {
		return nil, fmt.Errorf("applying a Scale gave a %T", next)
	}
	return scale, nil
}

// merge merges the configuration into the live object, which may be nil, and returns the result with
// its managedFields.
func (p *patch) merge(t *object.Type, live object.Object, by fieldmanager.Writer) (object.Object, error) {
	applied := map[string]any{}
	if err := yaml.Unmarshal(p.doc, &applied); err != nil {
		return nil, apierrors.NewBadRequest("error decoding YAML: " + err.Error())
	}
	if wire.Crowded(applied) {
		return nil, errCrowded
	}
	if wire.Suspicious(p.doc) && wire.VastIn(applied, reflect.TypeOf(t.New())) {
		return nil, apierrors.NewBadRequest("error decoding YAML: " + quantity.ErrFormatWrong.Error())
	}
	next, err := registry.Apply(t, live, applied, by, p.options.force != nil && *p.options.force)
	if err != nil {
		return nil, err
	}
	return next, p.checkRepeated()
}

// checkRepeated reports duplicate fields in the configuration. Fields unknown to the kind are
// always an error.
func (p *patch) checkRepeated() error {
	if !p.checks() {
		return nil
	}
	err := yaml.UnmarshalStrict(p.doc, &map[string]any{})
	switch {
	case err == nil:
		return nil
	case p.options.fieldValidation == metav1.FieldValidationStrict:
		return apierrors.NewBadRequest("error strict decoding YAML: " + err.Error())
	}
	wire.WarnStrict(p.w, []error{err})
	return nil
}
