package control

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// wrong converts an error of a parameter for the result of a Resolve method.
func wrong(e *field.Error) error { return &huma.ErrorDetail{Message: e.Error(), Value: e} }

// refusal converts the input errors that huma and Resolve methods found to one error with a Status.
// An error of a Resolve method replaces huma's for the same parameter.
func refusal(e *exchange, found []*huma.ErrorDetail) error {
	var all field.ErrorList
	for _, d := range found {
		if own, ok := d.Value.(*field.Error); ok {
			all = append(all, own)
		}
	}
	for _, d := range found {
		in, name, _ := strings.Cut(d.Location, ".")
		if in == "body" {
			return apierrors.NewBadRequest(d.Message)
		}
		told := slices.ContainsFunc(all, func(e *field.Error) bool { return e.Field == name })
		i := slices.IndexFunc(e.Operation().Parameters, func(p *huma.Param) bool { return p.In == in && p.Name == name })
		if i >= 0 && !told {
			all = append(all, misread(e, e.Operation().Parameters[i]))
		}
	}
	return invalid(all...)
}

// misread returns the error for a parameter that does not match its schema.
func misread(e *exchange, p *huma.Param) *field.Error {
	at, s, text := field.NewPath(p.Name), p.Schema, e.Query(p.Name)
	if p.In == "path" {
		text = e.Param(p.Name)
	}
	switch n, err := strconv.Atoi(text); {
	case s.Type == huma.TypeString && text == "":
		return field.Required(at, "")
	case len(s.Enum) > 0:
		return field.NotSupported(at, text, enumOf(s))
	case s.Type == huma.TypeBoolean:
		return field.Invalid(at, text, "must be true or false")
	case s.Format == "date-time":
		return field.Invalid(at, text, "must be a time as 2006-01-02T15:04:05Z")
	case s.Maximum == nil:
		return field.Invalid(at, text, "must be the number of a revision")
	case s.ExclusiveMinimum != nil && n == 0 && err == nil:
		return field.Invalid(at, 0, "must be more than 0")
	}
	least := int64(0)
	if s.Minimum != nil {
		least = int64(*s.Minimum)
	}
	return field.Invalid(at, text, fmt.Sprintf("must be a number from %d to %d", least, int64(*s.Maximum)))
}

func enumOf(s *huma.Schema) (values []string) {
	for _, v := range s.Enum {
		values = append(values, fmt.Sprint(v))
	}
	return values
}

// invalid returns an Invalid Status, as Kubernetes does for an object.
func invalid(all ...*field.Error) *apierrors.StatusError {
	status := metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid, Details: &metav1.StatusDetails{},
	}
	for i, e := range all {
		if i > 0 {
			status.Message += ", "
		}
		status.Message += e.Error()
		status.Details.Causes = append(status.Details.Causes, metav1.StatusCause{
			Type: metav1.CauseType(e.Type), Message: e.ErrorBody(), Field: e.Field,
		})
	}
	return &apierrors.StatusError{ErrStatus: status}
}
