package wire

import (
	"encoding/json"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// WriteValue sends a value that encodes itself as JSON and, if it is an object, as protobuf.
func WriteValue(w http.ResponseWriter, rep Representation, code int, v any) error {
	if rep.Encoding == Protobuf {
		doc, err := AppendProtobuf(nil, v)
		if err != nil {
			return err
		}
		return WriteDocument(w, rep, code, doc)
	}
	doc, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return WriteDocument(w, rep, code, append(doc, '\n'))
}

// WriteStatus sends an error in a format that the client accepts, or as JSON if it accepts none.
func WriteStatus(w http.ResponseWriter, req *http.Request, status *metav1.Status) {
	if d := status.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(d.RetryAfterSeconds)))
	}
	if rep, ok := plain.choose(req, req.Header.Get("Accept")); ok {
		_ = WriteValue(w, rep, int(status.Code), status) // a Status always encodes
		return
	}
	doc, _ := json.MarshalIndent(status, "", "  ") // as above
	_ = WriteDocument(w, Representation{}, int(status.Code), doc)
}

// UnknownFailure returns a failure for which upstream has no reason.
func UnknownFailure(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Reason: metav1.StatusReasonUnknown, Message: message,
	}}
}
