package podsetup

import (
	"fmt"
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

// claims are the claims of the token that a projection requests. Without a ServiceAccount, they are
// so incomplete that no server accepts the token.
//
// Source: kubernetes v1.36 pkg/volume/projected/projected.go, collectData, and pkg/registry/core/serviceaccount/storage/token.go,
// TokenREST.Create
func (s *Surroundings) claims(pod *corev1.Pod, p *corev1.ServiceAccountTokenProjection) []byte {
	t := TokenOf(p)
	if t.Issued = pod.CreationTimestamp.Unix(); s.Issued != nil {
		t.Issued = s.Issued(t)
	}
	begin := time.Unix(t.Issued, 0)
	c := serviceaccount.Claims{ // the ID follows from the other claims, so that every process makes the same token
		ID: serviceaccount.StableID(fmt.Sprintf("%s %s %d %d", pod.UID, t.Audience, t.Seconds, t.Issued)), Namespace: pod.Namespace, Account: serviceaccount.Ref{Name: pod.Spec.ServiceAccountName},
		Pod:       &serviceaccount.Ref{Name: pod.Name, UID: pod.UID},
		Audiences: []string{t.Audience}, Issued: begin, Expires: begin.Add(time.Duration(t.Seconds) * time.Second),
	}
	if t.Audience == "" {
		c.Audiences[0] = serviceaccount.Issuer
	}
	if c.Account.Name == "" {
		c.Account.Name = "default"
	}
	if s.Account != nil {
		c.Account.UID = s.Account.UID
	}
	if s.Node != nil {
		c.Node = &serviceaccount.Ref{Name: s.Node.Name, UID: s.Node.UID}
	}
	if t.Extended() {
		c.WarnFrom, c.Expires = c.Expires, begin.Add(serviceaccount.ExtendedSeconds*time.Second)
	}
	return c.Payload()
}

// tokenFile is the file of a token. If all containers run as one user, only that user can read it;
// if the Pod has a group for its volumes, root and that group can.
//
// Source: kubernetes v1.36 pkg/volume/projected/projected.go, collectData, and pkg/volume/util/util.go, FsUserFrom
func tokenFile(pod *corev1.Pod, path string, mode int32, claims []byte) File {
	f := File{Path: path, Mode: mode, Claims: claims}
	user := soleUser(pod)
	if user != nil {
		f.UID = *user
	}
	if user != nil || pod.Spec.SecurityContext != nil && pod.Spec.SecurityContext.FSGroup != nil {
		f.Mode = 0o600 // the group gets access when it is set on the volume
	}
	return f
}

// soleUser is the user that all containers of a Pod must run as; nil if one does not specify it or
// two differ.
func soleUser(pod *corev1.Pod) (user *int64) {
	for _, list := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range list {
			var as *int64
			if c := pod.Spec.SecurityContext; c != nil {
				as = c.RunAsUser
			}
			if c := list[i].SecurityContext; c != nil && c.RunAsUser != nil {
				as = c.RunAsUser
			}
			if as == nil || user != nil && *user != *as {
				return nil
			}
			user = as
		}
	}
	return user
}
