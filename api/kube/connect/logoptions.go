package connect

import (
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
)

// LogQuery lists the query parameters of a log.
var LogQuery = []string{
	"pretty", "container", "follow", "insecureSkipTLSVerifyBackend", "limitBytes", "previous", "sinceSeconds",
	"sinceTime", "stream", "tailLines", "timestamps",
}

// LogOptions parses and validates the options of a request for a log. The first value of a repeated
// parameter counts.
func LogOptions(req *http.Request, name string) (*corev1.PodLogOptions, error) {
	q := req.URL.Query()
	o := &corev1.PodLogOptions{Container: q.Get("container")}
	var err error
	read := func(name string, convert func(values []string) error) {
		if values, ok := q[name]; ok && err == nil {
			err = convert(values)
		}
	}
	flag := func(name string, to *bool) {
		read(name, func(v []string) error { return runtime.Convert_Slice_string_To_bool(&v, to, nil) })
	}
	number := func(name string, to **int64) {
		read(name, func(v []string) error { return runtime.Convert_Slice_string_To_Pointer_int64(&v, to, nil) })
	}
	flag("follow", &o.Follow)
	flag("previous", &o.Previous)
	flag("timestamps", &o.Timestamps)
	flag("insecureSkipTLSVerifyBackend", &o.InsecureSkipTLSVerifyBackend) // has no effect: there is no backend
	number("sinceSeconds", &o.SinceSeconds)
	number("tailLines", &o.TailLines)
	number("limitBytes", &o.LimitBytes)
	read("sinceTime", func(v []string) error { return metav1.Convert_Slice_string_To_Pointer_v1_Time(&v, &o.SinceTime, nil) })
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	o.Stream = new(corev1.LogStreamAll)
	if s := q.Get("stream"); s != "" {
		o.Stream = &s
	}
	if errs := validateLogOptions(o); len(errs) > 0 {
		return nil, kind.Invalid(corev1.SchemeGroupVersion.WithKind("PodLogOptions").GroupKind(), name, errs)
	}
	return o, nil
}

// validateLogOptions validates the options of a log.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodLogOptions
func validateLogOptions(o *corev1.PodLogOptions) (errs field.ErrorList) {
	if o.TailLines != nil && *o.TailLines < 0 {
		errs = append(errs, field.Invalid(field.NewPath("tailLines"), *o.TailLines, "must be greater than or equal to 0"))
	}
	if o.LimitBytes != nil && *o.LimitBytes < 1 {
		errs = append(errs, field.Invalid(field.NewPath("limitBytes"), *o.LimitBytes, "must be greater than 0"))
	}
	switch {
	case o.SinceSeconds != nil && o.SinceTime != nil:
		errs = append(errs, field.Forbidden(field.NewPath(""), "at most one of `sinceTime` or `sinceSeconds` may be specified"))
	case o.SinceSeconds != nil && *o.SinceSeconds < 1:
		errs = append(errs, field.Invalid(field.NewPath("sinceSeconds"), *o.SinceSeconds, "must be greater than 0"))
	}
	switch *o.Stream {
	case corev1.LogStreamAll:
		return errs
	case corev1.LogStreamStdout, corev1.LogStreamStderr:
	default:
		errs = append(errs, field.NotSupported(field.NewPath("stream"), *o.Stream,
			[]string{corev1.LogStreamAll, corev1.LogStreamStdout, corev1.LogStreamStderr}))
	}
	if o.TailLines != nil {
		errs = append(errs, field.Forbidden(field.NewPath(""), "`tailLines` and specific `stream` are mutually exclusive for now"))
	}
	return errs
}
