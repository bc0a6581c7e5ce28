package kube

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

// MaxBodyBytes is the size of the largest body that is read.
const MaxBodyBytes = 3 << 20

// readBody reads the request's body, up to MaxBodyBytes.
func readBody(req *http.Request) ([]byte, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return nil, nil
	}
	if req.ContentLength > MaxBodyBytes {
		return nil, tooLarge()
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
		return nil, tooLarge()
	}
	return body, nil
}

func bodyError(err error) error {
	var limit *http.MaxBytesError
	if errors.As(err, &limit) {
		return tooLarge()
	}
	return apierrors.NewBadRequest("the body could not be read: " + err.Error())
}

func tooLarge() error {
	return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", MaxBodyBytes))
}

// decode reads a body into an object of the kind, "into". Unknown and repeated fields are ignored,
// warned of or refused as the directive of fieldValidation says; none is Warn.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go, createHandler, and
// rest.go, transformDecodeError
func decode(w http.ResponseWriter, body []byte, f format, directive string, want schema.GroupVersionKind, into runtime.Object) error {
	got, strict, err := decodeInto(body, f, directive, want, into)
	if err != nil {
		return err
	}
	if err := judgeStrict(w, strict, directive, got, want.Kind, body); err != nil {
		return err
	}
	return checkVersion(*got, want)
}

// checkVersion refuses a body of another version than the request is for.
func checkVersion(got, want schema.GroupVersionKind) error {
	if got.GroupVersion() == want.GroupVersion() || want == evictionKind && got == evictionBeta {
		return nil
	}
	return apierrors.NewBadRequest(fmt.Sprintf("the API version in the data (%s) does not match the expected API version (%s)", got.GroupVersion(), want.GroupVersion()))
}

// judgeStrict warns of unknown and repeated fields, or refuses them, as the directive says.
func judgeStrict(w http.ResponseWriter, strict []error, directive string, got *schema.GroupVersionKind, want string, body []byte) error {
	switch {
	case len(strict) == 0 || directive == metav1.FieldValidationIgnore:
	case directive == metav1.FieldValidationStrict:
		return decodeError(runtime.NewStrictDecodingError(strict), got, want, body)
	default:
		warnStrict(w, strict)
	}
	return nil
}

// decodeInto is decode up to the unknown and repeated fields, which it returns. The version is not
// judged yet.
func decodeInto(body []byte, f format, directive string, want schema.GroupVersionKind, into runtime.Object) (got *schema.GroupVersionKind, strict []error, err error) {
	decoder := f.strict
	if directive == metav1.FieldValidationIgnore {
		decoder = f.lenient
	}
	switch f.media {
	case mediaYAML:
		err = cmp.Or(checkAliases(body), checkDepth(body, maxBodyDepth)) // brackets in plain texts count too, as far as they are not closed
	case mediaJSON:
		err = checkDepth(body, maxBodyDepth)
	}
	if err != nil {
		return nil, nil, decodeError(err, nil, want.Kind, body)
	}
	if err := checkEntries(body, f.media, into); err != nil {
		return nil, nil, err
	}
	if err := checkQuantities(body, f.media, into); err != nil {
		return nil, nil, decodeError(err, &want, want.Kind, body)
	}
	obj, got, err := decoder.Decode(body, &want, into)
	if obj != nil && obj != into && (err == nil || runtime.IsStrictDecodingError(err)) {
		err = notThatKind(*got, into)
	}
	if found, ok := runtime.AsStrictDecodingError(err); ok && obj != nil {
		strict, err = found.Errors(), nil
	}
	if err != nil {
		return got, nil, decodeError(err, got, want.Kind, body)
	}
	return got, strict, nil
}

// notThatKind says that a body is of another kind than the object. That is named as upstream's
// internal one, whose package is called like the folder of k8s.io/api that this one is from.
func notThatKind(got schema.GroupVersionKind, into runtime.Object) error {
	t := reflect.TypeOf(into).Elem()
	group := path.Base(path.Dir(t.PkgPath()))
	if group == "events" {
		group = "core"
	}
	return fmt.Errorf("converting (%s.%s) to (%s.%s): unknown conversion", got.Version, got.Kind, group, t.Name())
}

// decodeError says what is wrong with a body, and shows the beginning of one that is beyond
// recognition.
func decodeError(err error, got *schema.GroupVersionKind, want string, body []byte) error {
	if got != nil && got.Kind != "" {
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", got.Kind, got.Version, want, err))
	}
	return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)", want, err, summary(body)))
}

// summary is the first 30 bytes of a body, in hexadecimal unless it looks like JSON.
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

// warnStrict adds a Warning header for each unknown or repeated field.
func warnStrict(w http.ResponseWriter, errs []error) {
	for _, err := range errs {
		text := err.Error()
		lines := strings.TrimPrefix(strings.TrimPrefix(text, "error converting YAML to JSON: "), "yaml: unmarshal errors:\n")
		if lines == text {
			addWarning(w, text)
			continue
		}
		for line := range strings.SplitSeq(lines, "\n") {
			addWarning(w, strings.TrimSpace(line))
		}
	}
}
