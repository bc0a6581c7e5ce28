package kind

import (
	"fmt"
	"strings"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Limits on the answer for an invalid object: the number of errors and their total size in bytes.
const (
	maxInvalidErrors = 100
	maxInvalidBytes  = 64 << 10
)

// moreErrors is the field of the cause that stands for the errors beyond the limits.
const moreErrors = "..."

// Invalid returns the 422 for an object with these errors. Up to a hundred errors of 64 KiB in
// total, it equals apierrors.NewInvalid. Beyond that, it has the first errors and the number of
// further ones, because upstream's message takes quadratic time, and an error may repeat a value as
// large as the body.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go, NewInvalid
//
// Differs: upstream lists all errors.
func Invalid(gk schema.GroupKind, name string, errs field.ErrorList) *apierrors.StatusError {
	size, fit := 0, len(errs)
	for i, e := range errs {
		if i == maxInvalidErrors || size > maxInvalidBytes {
			fit = i
			break
		}
		size += len(e.Error())
	}
	err := apierrors.NewInvalid(gk, name, errs[:fit])
	if fit == len(errs) && size <= maxInvalidBytes {
		return err
	}
	status := &err.ErrStatus
	status.Message = shorten(status.Message, maxInvalidBytes)
	room := maxInvalidBytes
	for i := range status.Details.Causes {
		cause := &status.Details.Causes[i]
		cause.Message = shorten(cause.Message, room)
		room -= len(cause.Message)
	}
	if rest := len(errs) - fit; rest > 0 {
		more := fmt.Sprintf("and %d more errors", rest)
		status.Message += ", " + more
		status.Details.Causes = append(status.Details.Causes, metav1.StatusCause{
			Type: metav1.CauseTypeFieldValueInvalid, Field: moreErrors, Message: more,
		})
	}
	return err
}

// shorten cuts a text to most bytes, and says how many it leaves out.
func shorten(text string, most int) string {
	most = max(0, most)
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	var b strings.Builder
	b.WriteString(text[:most])
	fmt.Fprintf(&b, "... (%d bytes more)", len(text)-most)
	return b.String()
}
