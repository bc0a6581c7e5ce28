package podsetup

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// File is one file in a volume that is made from objects.
type File struct {
	Path string // in the volume, without a leading slash
	Mode int32  // permissions
	Data []byte

	// UID is the owner of the file.
	UID int64

	// Claims are the claims of the token in the file, as returned by serviceaccount.Claims.Payload;
	// nil for other files. With Claims there is no Data, because a token is signed when it is first
	// read.
	Claims []byte
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
		ID:        serviceaccount.StableID(fmt.Sprintf("%s %s %d %d", pod.UID, t.Audience, t.Seconds, t.Issued)),
		Namespace: pod.Namespace, Account: serviceaccount.Ref{Name: pod.Spec.ServiceAccountName},
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
