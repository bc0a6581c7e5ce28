// Package certificate is the whole judgement about CertificateSigningRequests: which are approved by themselves, what the built-in
// signers sign, and when a request has been there for long enough.
//
// One sync does one of it, so that a watcher sees a request approved before it sees it issued, as upstream, where each is a
// controller of its own. Signing is a function of the request, the authority and the time: the serial number comes of the
// request's uid, and the signature of the key and of what it signs (RFC 6979). A sync that is repeated after a crash issues one
// certificate, not two.
package certificate

import (
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// Snapshot is what Reconcile looks at. The Request and the Authority are shared and stay unchanged.
type Snapshot struct {
	Request   *certificatesv1.CertificateSigningRequest
	Authority *Authority // nil signs nothing
	// SelfNodeClient says whether who made the request may create certificatesigningrequests/selfnodeclient, NodeClient whether they may
	// create certificatesigningrequests/nodeclient.
	SelfNodeClient, NodeClient bool
	Now                        time.Time
}

// Reconcile deletes the request if it has been there for long enough, else approves it if it is a kubelet's, else signs it if it
// is approved.
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

// has says whether a request has a condition of the type, whatever its status: of those that decide, validation admits no other than
// true.
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

// with is a copy of the request that has one condition more.
func with(s Snapshot, t certificatesv1.RequestConditionType, reason, message string) *certificatesv1.CertificateSigningRequest {
	next, now := s.Request.DeepCopy(), metav1.Time{Time: s.Now.Truncate(time.Second)}
	next.Status.Conditions = append(next.Status.Conditions, certificatesv1.CertificateSigningRequestCondition{
		Type: t, Status: corev1.ConditionTrue, Reason: reason, Message: message, LastUpdateTime: now, LastTransitionTime: now,
	})
	return next
}
