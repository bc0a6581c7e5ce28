package podsetup

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// maxTokenAge is the maximum time for which a token is used.
//
// Source: kubernetes v1.36 pkg/kubelet/token/token_manager.go, maxTTL
const maxTokenAge = 24 * time.Hour

// Token is a token in a Pod's volumes: its audience, empty for the API server's, its requested
// lifetime, and when it was issued, in real time.
type Token struct {
	Audience string `json:"audience,omitempty"`
	Seconds  int64  `json:"seconds"`
	Issued   int64  `json:"issued"` // seconds since 1970
}

// Renewal is when the token must be replaced: after four fifths of its lifetime, or after a day.
//
// Source: kubernetes v1.36 pkg/kubelet/token/token_manager.go, requiresRefresh
// Differs: there is no jitter of ten seconds.
func (t Token) Renewal() time.Time {
	life := min(time.Duration(t.Seconds)*time.Second*4/5, maxTokenAge)
	return time.Unix(t.Issued, 0).Add(life)
}

// Extended reports whether the token is valid for a year, although it is renewed earlier.
func (t Token) Extended() bool {
	return t.Seconds == serviceaccount.WarnOnlySeconds && (t.Audience == "" || t.Audience == serviceaccount.Issuer)
}

// TokenOf is the token that a projection requests, not issued yet.
func TokenOf(p *corev1.ServiceAccountTokenProjection) Token {
	t := Token{Audience: p.Audience, Seconds: serviceaccount.UsualSeconds}
	if p.ExpirationSeconds != nil {
		t.Seconds = *p.ExpirationSeconds
	}
	return t
}
