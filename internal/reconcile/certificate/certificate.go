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
	certificatesv1 "k8s.io/api/certificates/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

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
