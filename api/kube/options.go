package kube

import (
	"math"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// decodeQuery reads the request's query parameters into options. Unknown parameters are ignored.
func decodeQuery(req *http.Request, options runtime.Object) error {
	if req.URL.RawQuery == "" {
		return nil
	}
	if err := scheme.ParameterCodec.DecodeParameters(req.URL.Query(), metav1.SchemeGroupVersion, options); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}

// invalidOptions is the error for options that contradict each other; nil if there are no errors.
func invalidOptions(name string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return kind.Invalid(schema.GroupKind{Group: metav1.GroupName, Kind: name}, "", errs)
}

// writeOptions is what the options of a create, an update and a patch have in common.
type writeOptions struct {
	dryRun          bool
	fieldValidation string
	fieldManager    string
	force           *bool // patches only
}

func createOptions(req *http.Request) (writeOptions, error) {
	var o metav1.CreateOptions
	if err := decodeQuery(req, &o); err != nil {
		return writeOptions{}, err
	}
	err := invalidOptions("CreateOptions", metavalidation.ValidateCreateOptions(&o))
	return writeOptions{dryRun: len(o.DryRun) > 0, fieldValidation: o.FieldValidation, fieldManager: o.FieldManager}, err
}

func updateOptions(req *http.Request) (writeOptions, error) {
	var o metav1.UpdateOptions
	if err := decodeQuery(req, &o); err != nil {
		return writeOptions{}, err
	}
	err := invalidOptions("UpdateOptions", metavalidation.ValidateUpdateOptions(&o))
	return writeOptions{dryRun: len(o.DryRun) > 0, fieldValidation: o.FieldValidation, fieldManager: o.FieldManager}, err
}

func patchOptions(req *http.Request, media types.PatchType) (writeOptions, error) {
	var o metav1.PatchOptions
	if err := decodeQuery(req, &o); err != nil {
		return writeOptions{}, err
	}
	err := invalidOptions("PatchOptions", metavalidation.ValidatePatchOptions(&o, media))
	return writeOptions{dryRun: len(o.DryRun) > 0, fieldValidation: o.FieldValidation, fieldManager: o.FieldManager, force: o.Force}, err
}

// parseRevision reads a resourceVersion of a list or a watch; "" and "0" are 0.
func parseRevision(resourceVersion string) (object.Revision, error) {
	rev, invalid := readRevision(resourceVersion)
	if invalid != nil {
		return 0, apierrors.NewBadRequest("invalid resource version: " + invalid.Error())
	}
	return rev, nil
}

// readRevision says what is wrong with a resourceVersion as the field that it is.
func readRevision(resourceVersion string) (object.Revision, *field.Error) {
	if resourceVersion == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(resourceVersion, 10, 64)
	if err != nil {
		return 0, field.Invalid(field.NewPath("resourceVersion"), resourceVersion, err.Error())
	}
	return object.Revision(min(n, math.MaxInt64)), nil
}
