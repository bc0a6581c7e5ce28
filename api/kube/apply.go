package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/object"
)

// applies says whether the patch is a server-side apply: the body is a configuration, what one manager wants of the object.
func (p *patch) applies() bool { return p.media == types.ApplyYAMLPatchType }

// applied merges the configuration into the current version, or into nothing if there is none.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go, applyPatcher and applyPatch
func (c *change) applied(p *patch, current *object.Version) (object.Object, error) {
	var live object.Object
	if current != nil {
		if err := checkCrowd(current); err != nil {
			return nil, err
		}
		live = c.r.served(current)
	}
	next, err := p.merge(&c.r.kind.Type, live, c.r.by(c.write, c.sub))
	if err != nil {
		return nil, err
	}
	if uid := next.GetUID(); current == nil && uid != "" {
		return nil, apierrors.NewConflict(c.r.kind.GroupResource(), c.name,
			fmt.Errorf("uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	return c.placed(next)
}

// checkCrowd refuses to apply to an object that is costly to merge. Only vast ones are looked into for it.
func checkCrowd(current *object.Version) error {
	const most = maxAppliedEntries * len(`"":`) // bytes that as many entries take at least
	body := current.Body()
	if len(body) <= most {
		return nil
	}
	var doc any
	if err := json.Unmarshal(body, &doc); err != nil {
		return err
	}
	if crowded(doc) {
		return errCrowded
	}
	return nil
}

var errCrowded = apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("no list and no map may have more than %d entries to be applied, and all together %d", maxAppliedEntries, maxAppliedTotal))

// appliedScale merges the configuration of a Scale into the live one.
func (r *resource) appliedScale(p *patch, live *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
	next, err := p.merge(fieldmanager.ScaleType, live, r.scaledBy(p.options.fieldManager))
	if err != nil {
		return nil, err
	}
	scale, ok := next.(*autoscalingv1.Scale)
	if !ok {
		return nil, fmt.Errorf("applying a Scale gave a %T", next)
	}
	return scale, nil
}

// merge merges the configuration into the live object of the type, nil if there is none, and returns the outcome with its
// managedFields.
func (p *patch) merge(t *object.Type, live object.Object, by fieldmanager.Writer) (object.Object, error) {
	applied := map[string]any{}
	if err := yaml.Unmarshal(p.doc, &applied); err != nil {
		return nil, apierrors.NewBadRequest("error decoding YAML: " + err.Error())
	}
	if crowded(applied) {
		return nil, errCrowded
	}
	if suspicious(p.doc) && vastIn(applied, reflect.TypeOf(t.New())) {
		return nil, apierrors.NewBadRequest("error decoding YAML: " + quantity.ErrFormatWrong.Error())
	}
	next, err := mergeApplied(t, live, applied, by, p.options.force != nil && *p.options.force)
	if err != nil {
		return nil, untyped(err)
	}
	return next, p.checkRepeated()
}

// mergeApplied is fieldmanager.Apply, whose libraries may panic over what nobody writes.
func mergeApplied(t *object.Type, live object.Object, applied map[string]any, by fieldmanager.Writer, force bool) (next object.Object, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = apierrors.NewBadRequest(fmt.Sprintf("the configuration cannot be applied: %v", p))
		}
	}()
	return fieldmanager.Apply(t, live, applied, by, force)
}

// untyped is how upstream answers an error that is none of the API's: as a fault of the server, with the error's own text.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/status.go, ErrorToAPIStatus
func untyped(err error) error {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return err
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: err.Error(),
	}}
}

// checkRepeated looks for fields that the configuration has twice. Those that the kind does not have are an error in any case.
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
	warnStrict(p.w, []error{err})
	return nil
}
