package history

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Refusals counts the failures that clients got. It is safe to share; the zero value is ready.
type Refusals struct {
	// Tolerated accepts further failures, of unknown outcome. If nil, none. It is set before the
	// first failure.
	Tolerated func(error) bool

	mu     sync.Mutex
	counts map[string]int
}

// Failures without a reason of the API.
const (
	noAnswer       = "no answer"
	unknownOutcome = "unknown outcome"
)

// reasonOf returns the reason of an error.
func reasonOf(err error) string {
	reason := string(apierrors.ReasonForError(err))
	switch {
	case reason == "":
		return noAnswer
	case apierrors.IsInternalError(err) && strings.Contains(err.Error(), "connection was lost around the commit"):
		return unknownOutcome
	}
	return reason
}

// Retryable counts a failure and reports whether its client may try again: there was no answer, the
// database is unreachable, there are too many requests, or it is unknown whether the write took
// place.
func (r *Refusals) Retryable(err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	r.counts[reasonOf(err)]++
	return Uncertain(err) || apierrors.IsServerTimeout(err) || apierrors.IsTooManyRequests(err) || r.Tolerated != nil && r.Tolerated(err)
}

// Uncertain reports whether a request may have been carried out although it failed.
func Uncertain(err error) bool {
	switch reasonOf(err) {
	case noAnswer, unknownOutcome, string(metav1.StatusReasonTimeout), string(metav1.StatusReasonServiceUnavailable):
		return true
	}
	return false
}

// String lists the failures: "no answer 3, ServiceUnavailable 12".
func (r *Refusals) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, reason := range slices.Sorted(maps.Keys(r.counts)) {
		out = append(out, fmt.Sprintf("%s %d", reason, r.counts[reason]))
	}
	return strings.Join(out, ", ")
}
