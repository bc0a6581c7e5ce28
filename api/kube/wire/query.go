package wire

import (
	"math"
	"net/http"
	"net/url"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// DecodeQuery decodes the request's query parameters into options. It ignores unknown parameters.
func DecodeQuery(req *http.Request, options runtime.Object) error {
	if req.URL.RawQuery == "" {
		return nil
	}
	if err := scheme.ParameterCodec.DecodeParameters(req.URL.Query(), metav1.SchemeGroupVersion, options); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}

// InvalidOptions returns the error for inconsistent options; nil if there are none.
func InvalidOptions(name string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return kind.Invalid(schema.GroupKind{Group: metav1.GroupName, Kind: name}, "", errs)
}

// ParseRevision parses the resourceVersion of a list or watch; "" and "0" are 0.
func ParseRevision(resourceVersion string) (object.Revision, error) {
	rev, invalid := ReadRevision(resourceVersion)
	if invalid != nil {
		return 0, apierrors.NewBadRequest("invalid resource version: " + invalid.Error())
	}
	return rev, nil
}

// ReadRevision parses a resourceVersion. Its error is that of the field.
func ReadRevision(resourceVersion string) (object.Revision, *field.Error) {
	if resourceVersion == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(resourceVersion, 10, 64)
	if err != nil {
		return 0, field.Invalid(field.NewPath("resourceVersion"), resourceVersion, err.Error())
	}
	return object.Revision(min(n, math.MaxInt64)), nil
}

// PathValue returns a parameter of the request's path, unescaped.
func PathValue(req *http.Request, name string) string {
	v := req.PathValue(name)
	if req.URL.RawPath == "" {
		return v
	}
	if u, err := url.PathUnescape(v); err == nil {
		return u
	}
	return v
}
