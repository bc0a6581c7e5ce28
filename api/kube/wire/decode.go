package wire

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"reflect"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// MaxBodyBytes is the maximum size of a body.
const MaxBodyBytes = 3 << 20

// ReadBody reads the request's body, up to MaxBodyBytes.
func ReadBody(req *http.Request) ([]byte, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return nil, nil
	}
	if req.ContentLength > MaxBodyBytes {
		return nil, TooLarge()
	}
	var body []byte
	if n := req.ContentLength; n > 0 {
		body = make([]byte, n)
		if _, err := io.ReadFull(req.Body, body); err != nil {
			return nil, bodyError(err)
		}
		return body, nil
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, MaxBodyBytes+1))
	if err != nil {
		return nil, bodyError(err)
	}
	if len(body) > MaxBodyBytes {
		return nil, TooLarge()
	}
	return body, nil
}

func bodyError(err error) error {
	var limit *http.MaxBytesError
	if errors.As(err, &limit) {
		return TooLarge()
	}
	return apierrors.NewBadRequest("the body could not be read: " + err.Error())
}

// TooLarge returns the error for a body of more than MaxBodyBytes.
func TooLarge() error {
	return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", MaxBodyBytes))
}

// Decode decodes a body into an object of the kind. Unknown and duplicate fields are ignored, cause
// warnings, or are rejected, depending on directive, the value of fieldValidation; "" means Warn.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go, createHandler, and
// rest.go, transformDecodeError
func Decode(w http.ResponseWriter, body []byte, f Format, directive string, want schema.GroupVersionKind, into runtime.Object) error {
	got, strict, err := DecodeInto(body, f, directive, want, into)
	if err != nil {
		return err
	}
	if err := JudgeStrict(w, strict, directive, got, want.Kind, body); err != nil {
		return err
	}
	return CheckVersion(*got, want)
}

// CheckVersion rejects a body of another version than the request's.
func CheckVersion(got, want schema.GroupVersionKind) error {
	if got.GroupVersion() == want.GroupVersion() || want == EvictionKind && got == evictionBeta {
		return nil
	}
	return apierrors.NewBadRequest(fmt.Sprintf(
		"the API version in the data (%s) does not match the expected API version (%s)",
		got.GroupVersion(), want.GroupVersion(),
	))
}

// JudgeStrict returns warnings or an error about unknown and duplicate fields, depending on the
// directive.
func JudgeStrict(w http.ResponseWriter, strict []error, directive string, got *schema.GroupVersionKind, want string, body []byte) error {
	switch {
	case len(strict) == 0 || directive == metav1.FieldValidationIgnore:
	case directive == metav1.FieldValidationStrict:
		return DecodeError(runtime.NewStrictDecodingError(strict), got, want, body)
	default:
		WarnStrict(w, strict)
	}
	return nil
}

// DecodeInto is Decode without handling unknown and duplicate fields, which it returns. It does not
// check the version.
func DecodeInto(
	body []byte, f Format, directive string, want schema.GroupVersionKind, into runtime.Object,
) (got *schema.GroupVersionKind, strict []error, err error) {
	decoder := f.Strict
	if directive == metav1.FieldValidationIgnore {
		decoder = f.Lenient
	}
	switch f.Media {
	case MediaYAML:
		err = cmp.Or(CheckAliases(body), CheckDepth(body, MaxBodyDepth)) // unclosed brackets in strings count too
	case MediaJSON:
		err = CheckDepth(body, MaxBodyDepth)
	}
	if err != nil {
		return nil, nil, DecodeError(err, nil, want.Kind, body)
	}
	if err := CheckEntries(body, f.Media, into); err != nil {
		return nil, nil, err
	}
	if err := CheckQuantities(body, f.Media, into); err != nil {
		return nil, nil, DecodeError(err, &want, want.Kind, body)
	}
	obj, got, err := decoder.Decode(body, &want, into)
	if obj != nil && obj != into && (err == nil || runtime.IsStrictDecodingError(err)) {
		err = NotThatKind(*got, into)
	}
	if found, ok := runtime.AsStrictDecodingError(err); ok && obj != nil {
		strict, err = found.Errors(), nil
	}
	if err != nil {
		return got, nil, DecodeError(err, got, want.Kind, body)
	}
	return got, strict, nil
}

// NotThatKind returns the error for a body of another kind than the object. It names the object's
// type like upstream's internal one, whose package is called like that of k8s.io/api.
func NotThatKind(got schema.GroupVersionKind, into runtime.Object) error {
	t := reflect.TypeOf(into).Elem()
	group := path.Base(path.Dir(t.PkgPath()))
	if group == "events" {
		group = "core"
	}
	return fmt.Errorf("converting (%s.%s) to (%s.%s): unknown conversion", got.Version, got.Kind, group, t.Name())
}

// DecodeError returns the error for an invalid body. It contains the first bytes if the body cannot
// be parsed at all.
func DecodeError(err error, got *schema.GroupVersionKind, want string, body []byte) error {
	if got != nil && got.Kind != "" {
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", got.Kind, got.Version, want, err))
	}
	return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)", want, err, summary(body)))
}

// summary returns the first 30 bytes of a body, in hexadecimal unless it looks like JSON.
func summary(body []byte) string {
	const most = 30
	show, rest := body, ""
	if len(body) > most {
		show, rest = body[:most], " ..."
	}
	switch {
	case len(body) == 0:
		return "<empty>"
	case body[0] == '{':
		return string(show) + rest
	}
	return hex.EncodeToString(show) + rest
}

// WarnStrict adds a Warning header for each unknown or duplicate field.
func WarnStrict(w http.ResponseWriter, errs []error) {
	for _, err := range errs {
		text := err.Error()
		lines := strings.TrimPrefix(strings.TrimPrefix(text, "error converting YAML to JSON: "), "yaml: unmarshal errors:\n")
		if lines == text {
			AddWarning(w, text)
			continue
		}
		for line := range strings.SplitSeq(lines, "\n") {
			AddWarning(w, strings.TrimSpace(line))
		}
	}
}
