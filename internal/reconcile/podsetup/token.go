package podsetup

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// maxTokenAge is how long a token is used at most.
//
// Source: kubernetes v1.36 pkg/kubelet/token/token_manager.go, maxTTL
const maxTokenAge = 24 * time.Hour

// Token is one that a Pod's volumes hold: its audience, empty for the API server's, for how long it was asked for, and when that was, in
// real time.
type Token struct {
	Audience string `json:"audience,omitempty"`
	Seconds  int64  `json:"seconds"`
	Issued   int64  `json:"issued"` // seconds since 1970
}

// Renewal is when another token is to take its place: after four fifths of its life, or after a day.
//
// Source: kubernetes v1.36 pkg/kubelet/token/token_manager.go, requiresRefresh
// Differs: there is no jitter of ten seconds.
func (t Token) Renewal() time.Time {
	life := min(time.Duration(t.Seconds)*time.Second*4/5, maxTokenAge)
	return time.Unix(t.Issued, 0).Add(life)
}

// Extended says whether the token is good for a year, although it is renewed before.
func (t Token) Extended() bool {
	return t.Seconds == serviceaccount.WarnOnlySeconds && (t.Audience == "" || t.Audience == serviceaccount.Issuer)
}

// TokenOf is the token that a projection asks for, which was not issued yet.
func TokenOf(p *corev1.ServiceAccountTokenProjection) Token {
	t := Token{Audience: p.Audience, Seconds: serviceaccount.UsualSeconds}
	if p.ExpirationSeconds != nil {
		t.Seconds = *p.ExpirationSeconds
	}
	return t
}

// claims are what the token says that a projection asks for. Where there is no ServiceAccount, it says so little that nobody takes it.
//
// Source: kubernetes v1.36 pkg/volume/projected/projected.go, collectData, and pkg/registry/core/serviceaccount/storage/token.go,
// TokenREST.Create
func (s *Surroundings) claims(pod *corev1.Pod, p *corev1.ServiceAccountTokenProjection) []byte {
	t := TokenOf(p)
	if t.Issued = pod.CreationTimestamp.Unix(); s.Issued != nil {
		t.Issued = s.Issued(t)
	}
	begin := time.Unix(t.Issued, 0)
	c := serviceaccount.Claims{ // the ID follows from the others, so that every process comes to the same token
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

// tokenFile is the file of a token. Where all containers run as one user, it is that user's and
// nobody else's; where the Pod has a group for its volumes, root's and that group's.
//
// Source: kubernetes v1.36 pkg/volume/projected/projected.go, collectData, and pkg/volume/util/util.go, FsUserFrom
func tokenFile(pod *corev1.Pod, path string, mode int32, claims []byte) File {
	f := File{Path: path, Mode: mode, Claims: claims}
	user := soleUser(pod)
	if user != nil {
		f.UID = *user
	}
	if user != nil || pod.Spec.SecurityContext != nil && pod.Spec.SecurityContext.FSGroup != nil {
		f.Mode = 0o600 // a group is let in when the volume gets it
	}
	return f
}

// soleUser is the user that all containers of a Pod are to run as; nil where one says nothing or two differ.
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
