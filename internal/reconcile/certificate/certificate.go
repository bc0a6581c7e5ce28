// Package certificate holds the decisions about CertificateSigningRequests: which are approved
// automatically, what the built-in signers sign, and when a request expires.
//
// One sync does one of these, so that a watcher sees a request approved before it sees it issued,
// as upstream, where each is a separate controller. Signing is a function of the request, the
// authority and the time: the serial number is derived from the request's uid, and the signature
// from the key and the signed content (RFC 6979). A sync that is repeated after a crash issues one
// certificate, not two.
package certificate

import (
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// Snapshot is the input of Reconcile. The Request and the Authority are shared and never modified.
type Snapshot struct {
	Request   *certificatesv1.CertificateSigningRequest
	Authority *Authority // if nil, nothing is signed
	// SelfNodeClient is true if the author of the request may create
	// certificatesigningrequests/selfnodeclient, NodeClient if the author may create
	// certificatesigningrequests/nodeclient.
	SelfNodeClient, NodeClient bool
	Now                        time.Time
}

// Reconcile deletes the request if it has expired, else approves it if it is a kubelet's, else
// signs it if it is approved.
func Reconcile(s Snapshot) plan.Plan {
	if s.Request.DeletionTimestamp != nil {
		return plan.Plan{}
	}
	end := expiry(s.Request)
	if !end.IsZero() && !s.Now.Before(end) {
		return plan.Plan{Deletes: []plan.Delete{{Object: s.Request, Propagation: metav1.DeletePropagationBackground}}}
	}
	p := plan.Plan{WakeAt: end}
	switch {
	case s.Request.Status.Certificate != nil || has(s.Request, certificatesv1.CertificateDenied):
	case has(s.Request, certificatesv1.CertificateApproved):
		if next := signed(s); next != nil {
			p.Updates = []plan.Update{{Object: next, Subresource: "status"}}
		}
	default:
		if next := approved(s); next != nil {
			p.Updates = []plan.Update{{Object: next, Subresource: "approval"}}
		}
	}
	return p
}

// has reports whether a request has a condition of the type, regardless of its status: for the
// decisive types, validation admits only true.
//
// Source: kubernetes v1.36 pkg/controller/certificates/certificate_controller_utils.go, GetCertApprovalCondition
func has(r *certificatesv1.CertificateSigningRequest, t certificatesv1.RequestConditionType) bool {
	for i := range r.Status.Conditions {
		if r.Status.Conditions[i].Type == t {
			return true
		}
	}
	return false
}

// with is a copy of the request with one more condition.
func with(s Snapshot, t certificatesv1.RequestConditionType, reason, message string) *certificatesv1.CertificateSigningRequest {
	next, now := s.Request.DeepCopy(), metav1.Time{Time: s.Now.Truncate(time.Second)}
	next.Status.Conditions = append(next.Status.Conditions, certificatesv1.CertificateSigningRequestCondition{
		Type: t, Status: corev1.ConditionTrue, Reason: reason, Message: message, LastUpdateTime: now, LastTransitionTime: now,
	})
	return next
}
