package podclient

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

// mostBody bounds the body of an answer, and mostAnswer the whole encoded answer, in bytes. An
// emulated program could not hold more.
const (
	mostBody   = 1 << 20
	mostAnswer = 2 << 20
)

// recorder records an answer, as far as it fits.
type recorder struct {
	header http.Header
	status int
	body   []byte
	over   bool
	full   context.CancelFunc // called when no more fits
}

// Header implements http.ResponseWriter.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= http.StatusOK {
		r.status = status
		r.header = r.header.Clone() // headers set later have no effect
	}
}

// Write implements http.ResponseWriter.
func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	fits := min(len(b), mostBody-len(r.body))
	r.body = append(r.body, b[:fits]...)
	if fits < len(b) {
		r.over = true
		r.full()
		return fits, http.ErrContentLength
	}
	return fits, nil
}

// Flush implements http.Flusher.
func (r *recorder) Flush() { r.WriteHeader(http.StatusOK) }

// answer returns what the program gets: of a stream what fits, of anything else everything or an
// error.
func (r *recorder) answer(q emulator.Query, stream bool) emulator.Answer {
	r.WriteHeader(http.StatusOK)
	if r.over && !stream {
		return tooLarge()
	}
	a := emulator.Answer{Status: r.status, Body: emulator.Text(r.body)}
	if q.Method == http.MethodHead {
		a.Body = ""
	} else if !stream {
		r.header.Set("Content-Length", strconv.Itoa(len(r.body)))
	}
	for name, values := range r.header {
		for _, v := range values {
			a.Header = append(a.Header, name+": "+v)
		}
	}
	slices.Sort(a.Header)
	return a
}

// tooLarge is the answer in place of one that does not fit.
func tooLarge() emulator.Answer {
	body, err := json.Marshal(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Code: http.StatusInternalServerError,
		Reason:  metav1.StatusReasonInternalError,
		Message: "rowlock: the answer is larger than an emulated program can take, 1 MiB. What was asked for is done. Use the parameter limit to list in parts.",
	})
	if err != nil {
		return emulator.Answer{Outcome: emulator.OutcomeReset} // a Status is always valid
	}
	return emulator.Answer{Status: http.StatusInternalServerError, Header: []string{"Content-Type: application/json"}, Body: emulator.Text(body)}
}

// encode encodes an answer for kubelets.
func encode(a emulator.Answer) []byte {
	encoded, err := json.Marshal(a)
	if err == nil && len(encoded) > mostAnswer {
		encoded, err = json.Marshal(tooLarge())
	}
	if err != nil {
		return []byte{} // texts and numbers; empty is an answer that never comes
	}
	return encoded
}
